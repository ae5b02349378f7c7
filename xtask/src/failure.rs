//! How commands end early, and what is wrong with a command line.

/// What a command ends with: nothing, or the line that says what was wrong.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a command ended early; each kind has its exit code.
#[derive(Debug, PartialEq)]
pub(crate) enum Failure {
    /// The command line is wrong: exit code 2.
    Usage(String),
    /// Something that was run failed: exit code 1.
    Run(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Usage(message) | Self::Run(message)) = self;
        f.write_str(message)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Run(message)
    }
}

/// Says of each known flag whether it was given; anything else is a usage error.
pub(crate) fn flags<const N: usize>(args: &[&str], known: [&str; N]) -> Result<[bool; N]> {
    match args.iter().find(|arg| !known.contains(arg)) {
        Some(arg) => Err(Failure::Usage(format!("unexpected argument `{arg}`"))),
        None => Ok(known.map(|flag| args.contains(&flag))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_found_in_any_order() {
        assert_eq!(flags(&["-b", "-a"], ["-a", "-b", "-c"]), Ok([true, true, false]));
    }
}
