//! What is to be done with every record: the options, checked and put together.

mod cipher;
mod form;
mod preset;

pub(super) use cipher::CipherPlan;
pub(super) use form::ResultForm;
pub(super) use preset::PresetPlan;

use cipherloom::Direction;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::Opener;

use super::args::Arguments;
use crate::args::given::Given;
use crate::args::preset::EncodingName;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;

/// What is to be done with every record.
pub(super) enum Plan {
    /// A cipher and its parameters.
    Cipher(CipherPlan),
    /// What a program wrote.
    Preset(Box<PresetPlan>),
}

/// Which columns of a table hold bytes.
#[cfg(feature = "arrow")]
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteColumns {
    pub(super) data: bool,
    pub(super) key: bool,
    pub(super) iv: bool,
    pub(super) salt: bool,
}

/// The names of the columns.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) data: String,
    pub(super) key: Option<String>,
    pub(super) iv: Option<String>,
    pub(super) salt: Option<String>,
    pub(super) result: String,
    pub(super) status: Option<String>,
    pub(super) error: String,
}

impl Plan {
    /// Checks the options against each other.
    ///
    /// # Errors
    /// Bad usage, and a key file that cannot be read.
    pub(super) fn new(args: &Arguments, given: &Given, notes: &Notes) -> Result<Self> {
        let plan = match args.preset.preset {
            Some(preset) => Self::Preset(Box::new(PresetPlan::new(args, given, preset, notes)?)),
            None => Self::Cipher(CipherPlan::new(args, given)?),
        };
        if args.escape_formulas && plan.result_form() != ResultForm::Text(Encoding::Text) {
            return Err(Error::usage(
                "--escape-formulas is for results that are text; it would spoil base64, and hex \
                 is no formula",
            ));
        }
        if args.iv_encoding == Some(EncodingName::Text) {
            return Err(Error::usage("--iv-encoding takes hex or base64"));
        }
        Ok(plan)
    }

    /// Whether records are encrypted.
    pub(super) fn encrypts(&self) -> bool {
        matches!(self, Self::Cipher(plan) if plan.task.direction() == Direction::Encrypt)
    }

    /// What opens the values of a preset, where all have the same secret, IV and salt: for one thread and many
    /// values.
    pub(super) fn opener(&self) -> Option<Opener<'_>> {
        match self {
            Self::Preset(plan) if plan.is_common => Some(plan.opening.opener()),
            _ => None,
        }
    }

    fn result_form(&self) -> ResultForm {
        match self {
            Self::Cipher(plan) => plan.result_form,
            Self::Preset(plan) => plan.result_form,
        }
    }

    /// Takes columns of bytes as they are, and returns whether results are bytes, too: where the data is,
    /// and no option and no preset says that they are text.
    #[cfg(feature = "arrow")]
    pub(super) fn take_bytes(&mut self, args: &Arguments, columns: ByteColumns) -> bool {
        use cipherloom_formats::preset::Charset;
        let ByteColumns { data, key, iv, salt } = columns;
        let as_they_are = |own: &mut Encoding, is_bytes: bool| {
            if is_bytes {
                *own = Encoding::Text;
            }
        };
        let data = data && args.data_encoding.is_none();
        let key = key && args.preset.key_encoding.is_none();
        let iv = iv && args.iv_encoding.is_none();
        let form = match self {
            Self::Cipher(plan) => {
                as_they_are(&mut plan.data_encoding, data);
                as_they_are(&mut plan.key_encoding, key);
                as_they_are(&mut plan.iv_encoding, iv);
                &mut plan.result_form
            }
            Self::Preset(plan) => {
                plan.opening.take_bytes(data, key);
                as_they_are(&mut plan.iv_encoding, iv);
                as_they_are(&mut plan.salt_encoding, salt);
                if plan.opening.charset() != Charset::Bytes {
                    return false;
                }
                &mut plan.result_form
            }
        };
        if data && args.result_encoding.is_none() {
            *form = ResultForm::Bytes;
        }
        *form == ResultForm::Bytes
    }
}

impl Columns {
    /// # Errors
    /// Two of them are the same.
    pub(super) fn new(args: &Arguments) -> Result<Self> {
        let status = args.preset.preset.map(|_| "status".to_owned());
        let own = Self {
            data: args.data_column.clone(),
            key: args.key_column.clone(),
            iv: args.iv_column.clone(),
            salt: args.salt_column.clone(),
            result: args.result_column.clone(),
            status: args.status_column.clone().or(status),
            error: args.error_column.clone(),
        };
        let columns = own.all();
        for (n, (option, name)) in columns.iter().enumerate() {
            let same = columns[..n].iter().find(|(_, other)| name.is_some() && other == name);
            if let Some((other, _)) = same {
                return Err(Error::usage(format!(
                    "{other} and {option} name the same column; each has its own"
                )));
            }
        }
        Ok(own)
    }

    /// All with their options: four that are read, three that are added.
    pub(super) fn all(&self) -> [(&'static str, Option<&str>); 7] {
        [
            ("--data-column", Some(&self.data)),
            ("--key-column", self.key.as_deref()),
            ("--iv-column", self.iv.as_deref()),
            ("--salt-column", self.salt.as_deref()),
            ("--result-column", Some(&self.result)),
            ("--status-column", self.status.as_deref()),
            ("--error-column", Some(&self.error)),
        ]
    }

    /// Those that are added.
    pub(super) fn added(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.all().into_iter().skip(4).filter_map(|(option, name)| Some((option, name?)))
    }
}
