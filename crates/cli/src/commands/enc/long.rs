//! `dec --preset` on what is long: in pieces, in constant memory.

use cipherloom_formats::preset::{Begun, Fault, Judge, Long, Outcome};
use zeroize::Zeroizing;

use super::told::{misused, not_opened, tell, with_warning};
use crate::args::enc::EncArgs;
use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::input::Input;
use crate::io::interrupts;
use crate::io::notes::Notes;
use crate::io::output::{Output, Style};
use crate::io::progress::Progress;
use crate::io::source::Source;
use crate::pipeline::{self, Manner, Sink};
use crate::presets::Opening;

/// First bytes of a message: more than any header has.
const START: usize = 4096;

/// Most bytes that a judge holds back: a block, and the longest digest.
const LAST: usize = 8 + 64;

/// What was decrypted goes by its judge to the output.
struct Judged<'a> {
    judge: &'a mut Judge,
    output: &'a mut Output,
    plaintext: Zeroizing<Vec<u8>>,
}

impl Sink for Judged<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.plaintext.clear();
        self.judge.feed(bytes, &mut self.plaintext);
        self.output.write(&self.plaintext)
    }
}

/// Opens a long input.
///
/// # Errors
/// Bad usage; what is not decrypted, and why.
pub(super) fn run(
    args: &EncArgs,
    opening: &Opening,
    (long, input): (Long<'_>, Input),
    destination: Destination,
    notes: &Notes,
) -> Result<()> {
    let (name, len) = (input.name(), input.len());
    let mut source = Source::new(input, long.decoder());
    let begun = long.begin(&source.start(START)?).map_err(|error| misused(opening, error))?;
    let begun = begun.map_err(|outcome| not_opened(opening, &name, &outcome, 0));
    let Begun { header, engine, mut judge } = begun?;
    source.read_exactly(header)?;
    interrupts::watch();
    let style = Style { spool: args.spool, force: args.force, ..Style::default() };
    let mut output = destination.open(style)?;
    let progress = Progress::new(len, args.other.quiet);
    let manner = Manner { threads: args.threads(), salvage: false };
    let plaintext = Zeroizing::default();
    let mut sink = Judged { judge: &mut judge, output: &mut output, plaintext };
    let worked = pipeline::run(source, engine, &mut sink, progress, manner);
    let mut last = Zeroizing::new(Vec::with_capacity(LAST));
    let witness = match worked {
        Ok(_) => judge.finish(&mut last),
        Err(Error::Cipher(cause)) => {
            Err(Outcome::Damaged(Fault::of_length(cause).ok_or(Error::Cipher(cause))?))
        }
        Err(error) => return Err(with_warning(output.lost_control(), error)),
    };
    let written = output.lost_control();
    let witness = witness.map_err(|outcome| not_opened(opening, &name, &outcome, written))?;
    output.write(&last)?;
    tell(opening, witness, notes);
    output.commit(notes)?;
    Ok(())
}
