//! Records that a program wrote: the options for a preset.

use std::ffi::OsStr;

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Charset, Preset};

use super::form::{ResultForm, iv_encoding};
use crate::args::given::Given;
use crate::commands::records::args::Arguments;
use crate::errors::Result;
use crate::io::notes::Notes;
use crate::keying::password;
use crate::presets::{Opening, Options, OwnColumns, Source, check_given};

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
    pub(super) fn new(
        args: &Arguments,
        given: &Given,
        preset: &'static Preset,
        notes: &Notes,
    ) -> Result<Self> {
        check_given(preset, args.cipher.as_deref(), given, |id| match id {
            "encrypt" | "iv_prefix" | "header_is_data" | "key_as_given" | "pad_like_openssl"
            | "strict_keys" => false,
            "iv_encoding" => args.iv_column.is_some(),
            _ => true,
        })?;
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
            iv_encoding: iv_encoding(args),
            salt_encoding: Encoding::Hex,
            result_form: ResultForm::Text(
                args.result_encoding.map_or(Encoding::Text, Encoding::from),
            ),
            is_common,
        })
    }
}
