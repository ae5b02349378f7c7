//! RC4 over many records.

use super::Outcome;
use super::source::Source;
use crate::dispatch::Choice;
use crate::error::Error;
use crate::rc4::Rc4;

/// One stream after the other, each from its key's start.
pub(super) fn run<S: Source + ?Sized>(
    choice: Choice,
    records: &mut S,
    results: &mut [Outcome],
) -> Result<(), Error> {
    Rc4::pick(choice)?;
    for (n, result) in results.iter_mut().enumerate() {
        *result = one(choice, records, n);
    }
    Ok(())
}

fn one<S: Source + ?Sized>(choice: Choice, records: &mut S, n: usize) -> Outcome {
    let len = records.check_span(n)?;
    let got = records.iv(n).len();
    if got != 0 {
        return Err(Error::IvLength { got, want: 0 });
    }
    Rc4::with_choice(records.key(n), choice)?.apply(&mut records.data(n)[..len])?;
    Ok(len)
}
