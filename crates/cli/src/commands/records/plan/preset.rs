//! Records that a program wrote: the options for a preset.

use std::ffi::OsStr;

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Preset};

use super::form::ResultForm;
use crate::commands::records::args::Arguments;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;
use crate::keying::password;
use crate::presets::{Opening, Options, OwnColumns, Source, not_taken};

/// What is to be done with every record.
pub(in crate::commands::records) struct PresetPlan {
    pub(in crate::commands::records) opening: Opening,
    pub(in crate::commands::records) iv_encoding: Encoding,
    pub(in crate::commands::records) salt_encoding: Encoding,
    pub(in crate::commands::records) result_form: ResultForm,
    /// Whether all records have the same secret, IV and salt: what is wrong with these is wrong for all.
    pub(in crate::commands::records) is_common: bool,
}

impl PresetPlan {
    /// # Errors
    /// Bad usage: what no preset takes, or this one does not; a key file that cannot be read.
    pub(super) fn new(args: &Arguments, preset: &'static Preset, notes: &Notes) -> Result<Self> {
        let refused = [
            ("-e", args.encrypt),
            ("--iv-prefix", args.iv_prefix),
            ("--header-is-data", args.header_is_data),
            ("--key-as-given", args.raw.key_as_given),
            ("--pad-like-openssl", args.raw.pad_like_openssl),
            ("--strict-keys", args.strict_keys),
        ];
        if let Some((option, _)) = refused.iter().find(|(_, is_given)| *is_given) {
            return Err(Error::usage(format!("{option} does not go with --preset")));
        }
        for (option, column, is_taken, what) in [
            ("--iv-column", &args.iv_column, preset.takes_iv(), "IV"),
            ("--salt-column", &args.salt_column, preset.takes_salt(), "salt"),
        ] {
            if column.is_some() && !is_taken {
                return Err(not_taken(preset, what, option));
            }
        }
        let options = Options {
            preset,
            cipher: args.cipher.as_deref(),
            iv: args.iv.as_deref().map(|iv| ("--iv", OsStr::new(iv))),
            salt: args.salt.as_deref().map(|salt| ("--salt", OsStr::new(salt))),
            text: args.data_encoding.map(Encoding::from),
            padding: args.padding,
            digest: args.md.as_deref(),
            count: args.iter,
            charset: args.preset.charset.map(Charset::from),
            key_encoding: args.preset.key_encoding.map(Encoding::from),
            own: OwnColumns {
                iv: args.iv_column.is_some(),
                salt: args.salt_column.is_some(),
                iv_option: "--iv or --iv-column",
                salt_option: "--salt or --salt-column",
            },
        };
        let source = match args.key_column {
            Some(_) => None,
            None => Some(Source {
                key: args.key.as_deref().map(OsStr::new),
                key_file: args.preset.key_file.as_deref(),
                key_encoding: args.preset.key_encoding.map(Encoding::from),
                password: password::given(&args.password, notes)?,
            }),
        };
        let is_common =
            args.key_column.is_none() && args.iv_column.is_none() && args.salt_column.is_none();
        Ok(Self {
            opening: Opening::new(&options, source, notes)?,
            iv_encoding: args.iv_encoding.into(),
            salt_encoding: Encoding::Hex,
            result_form: ResultForm::Text(
                args.result_encoding.map_or(Encoding::Text, Encoding::from),
            ),
            is_common,
        })
    }
}
