//! What kernels are called with: random memory, and arguments that lead into it. What a kernel wants follows from
//! its name, as what it is to do does in the theorems.

use super::schedules::{self, Halves};
use fastrand::Rng;
use proof::image::Image;
use proof::isa::{Convention, Isa};
use proof::theorems::{WHOLE, schedules::Layout};

/// A count is 0 to 3.
const GROUPS: usize = 3;
/// So many inputs have a key in common.
const PER_KEY: usize = 16;
/// What no region has, before, between and behind them: who writes there is found, too.
const GAP: usize = 64;
/// No kernel wants more.
pub(super) const ALIGN: usize = 64;

/// The order of bytes in words.
#[derive(Clone, Copy)]
pub(super) struct Words {
    is_big: bool,
}

impl Words {
    pub(super) fn of(isa: Isa) -> Self {
        Self { is_big: isa == Isa::Hppa }
    }

    /// The lowest bytes of a number.
    pub(super) fn bytes(self, number: u64, bytes: usize) -> impl Iterator<Item = u8> {
        let shift = move |n| 8 * if self.is_big { bytes - 1 - n } else { n };
        (0..bytes).map(move |n| (number >> shift(n)) as u8)
    }
}

/// An argument.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    Number(u64),
    /// A place in what each input has anew.
    Fresh(usize),
    /// A place in what inputs with one key have in common.
    Kept(usize),
}

/// What memory has.
enum Content {
    Random(usize),
    /// As many random bytes, of keys.
    Keys(usize),
    Schedule(Layout, usize),
    Libdes,
    Halves(Box<Halves>),
    /// Masks of a key: so wide, for so many passes.
    KeyMasks(usize, usize),
    /// Random masks, the same in all lanes: so many, so wide.
    Masks(usize, usize),
    /// Windows into slices of so many bytes, for so many passes.
    Windows(usize, usize),
    States(States),
}

impl Content {
    /// Whether it stays for some inputs.
    fn is_kept(&self) -> bool {
        use Content::{KeyMasks, Keys, Libdes, Schedule, Windows};
        matches!(self, Keys(_) | Schedule(..) | Libdes | KeyMasks(..) | Windows(..))
    }
}

/// States of RC4.
struct States {
    count: usize,
    /// Bytes of an element of S.
    element: usize,
    is_in_registers: bool,
    /// i is a multiple of 8.
    is_whole: bool,
}

impl States {
    fn of(words: &[&str], convention: &Convention) -> Self {
        let count = words.iter().find_map(|word| word.strip_prefix('x')?.parse().ok()).unwrap_or(1);
        Self {
            count,
            element: if words[2] == "s32" { 4 } else { 1 },
            is_in_registers: words[2].starts_with("reg"),
            is_whole: WHOLE.contains(&(words[2], convention.name)),
        }
    }

    fn random(&self, words: Words, random: &mut Rng) -> Vec<u8> {
        // All states have one i.
        let i = random.u8(..) & if self.is_whole { !7 } else { !0 };
        let mut bytes = Vec::new();
        for _ in 0..self.count {
            let j = random.u8(..);
            let s = std::iter::repeat_with(|| random.u8(..).into()).take(256);
            bytes.extend(s.flat_map(|element| words.bytes(element, self.element)));
            if self.is_in_registers {
                bytes.extend([j.wrapping_sub(i); 8].into_iter().chain([i.wrapping_neg(); 8]));
            } else {
                bytes.extend([i, j].into_iter().flat_map(|index| words.bytes(index.into(), 4)));
            }
        }
        bytes
    }
}

enum Parameter {
    /// Of groups.
    Count,
    /// No, or yes.
    Flag,
    Region(Content),
}

/// The parameters of a kernel.
fn parameters(name: &str, convention: &Convention) -> Vec<Parameter> {
    use Content::{Halves as InHalves, KeyMasks, Keys, Libdes, Masks, Random, Schedule, Windows};
    let region = Parameter::Region;
    let words: Vec<&str> = name.split('_').collect();
    let passes = if words[0] == "tdes" { 3 } else { 1 };
    let has = |word: &str| words.contains(&word);
    // Of bit slices: their bytes, and those of masks.
    let lanes = words.iter().find_map(|word| word.strip_prefix("bitslice")?.parse().ok());
    let lanes: usize = lanes.unwrap_or(0);
    let (slice, mask) = (lanes / 8, if lanes == 128 { 16 } else { 4 });
    let (state, part) = (64 * slice, 57 * slice);
    match words[..] {
        ["des" | "tdes", "encrypt" | "decrypt", layout, ..] => {
            let layout = schedules::layout(layout);
            let schedule = region(Schedule(layout, passes));
            if has("bare") {
                return vec![region(InHalves(Box::new(Halves::new(layout)))), schedule];
            }
            let blocks = words.iter().find_map(|word| word.strip_prefix('x')?.parse().ok());
            let data = region(Random(8 * blocks.unwrap_or(1) * GROUPS));
            let mut all = vec![data, Parameter::Count, schedule];
            all.extend(has("chain").then_some(region(Random(8))));
            all
        }
        ["des", "encrypt1" | "encrypt2", ..] => {
            vec![region(Random(8)), region(Libdes), Parameter::Flag]
        }
        ["des", "encrypt3" | "decrypt3", ..] => {
            vec![region(Random(8)), region(Libdes), region(Libdes), region(Libdes)]
        }
        ["des" | "tdes", _, ..] => {
            let mut all = vec![region(Random(32 * slice)), region(Random(32 * slice))];
            if has("lanes") {
                all.push(region(Keys(112 * passes * slice)));
                all.push(region(Windows(slice, passes)));
            } else {
                all.push(region(KeyMasks(mask, passes)));
            }
            all
        }
        ["rc4", what, ..] => {
            let states = States::of(&words, convention);
            let count = states.count;
            let states = region(Content::States(states));
            match what {
                "setup" => vec![states, region(Random(256 * count))],
                _ => vec![states, region(Random(8 * count * GROUPS)), Parameter::Count],
            }
        }
        [_, "piece", "in", ..] => vec![region(Random(lanes)), region(Random(part))],
        [_, "rows", "in", ..] => vec![region(Masks(32, mask)), region(Random(state))],
        [_, "rows", "out", ..] => vec![region(Random(state)), region(Masks(32, mask))],
        [_, "piece", "out", ..] => vec![region(Random(part)), region(Random(lanes))],
        [_, "keys", ..] => vec![region(Random(8 * lanes)), region(Random(112 * slice))],
        [_, "counters", ..] => vec![
            region(Random(lanes.ilog2() as usize * slice)),
            region(Masks(64, mask)),
            region(Random(state)),
        ],
        _ => panic!("{name}: what is it called with?"),
    }
}

/// Inputs of a kernel, one after the other.
pub(super) struct Inputs {
    name: Vec<String>,
    words: Words,
    convention: &'static Convention,
    parameters: Vec<Parameter>,
    random: Rng,
    done: usize,
    /// Where regions lie that are kept.
    places: [usize; 4],
    /// What this input has anew, and what it has in common with those of the same key.
    pub(super) fresh: Vec<u8>,
    pub(super) kept: Vec<u8>,
}

impl Inputs {
    /// Those of a kernel of an image, by its name.
    pub(super) fn new(image: &Image, name: &str) -> Self {
        Self {
            name: name.split('_').map(String::from).collect(),
            words: Words::of(image.isa),
            convention: image.convention,
            parameters: parameters(name, image.convention),
            random: Rng::with_seed(9),
            done: 0,
            places: [0; 4],
            fresh: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// What some memory has.
    fn content(&mut self, n: usize) -> Vec<u8> {
        let Parameter::Region(content) = &self.parameters[n] else { unreachable!("a number") };
        let (words, random) = (self.words, &mut self.random);
        match content {
            Content::Random(bytes) | Content::Keys(bytes) => {
                let words = std::iter::repeat_with(|| random.u64(..).to_le_bytes());
                let mut all: Vec<u8> = words.take(bytes.div_ceil(8)).flatten().collect();
                all.truncate(*bytes);
                all
            }
            Content::Schedule(layout, passes) => {
                schedules::schedule(words, *layout, *passes, random)
            }
            Content::Libdes => schedules::libdes(words, random),
            Content::Halves(halves) => halves.random(words, random),
            Content::KeyMasks(width, passes) => {
                let name: Vec<&str> = self.name.iter().map(String::as_str).collect();
                schedules::masks(&name, *width, *passes, random)
            }
            Content::Masks(count, width) => {
                let masks = std::iter::repeat_with(|| if random.bool() { 0xff } else { 0 });
                masks.take(*count).flat_map(|mask| std::iter::repeat_n(mask, *width)).collect()
            }
            Content::Windows(slice, passes) => {
                schedules::windows_of(words, self.convention.word, *slice, *passes, random)
            }
            Content::States(states) => states.random(words, random),
        }
    }

    /// The next input: its arguments, and whether what it shares with others is new.
    pub(super) fn next(&mut self) -> ([Argument; 4], bool) {
        let is_new = self.done.is_multiple_of(PER_KEY);
        self.done += 1;
        self.fresh.clear();
        append(&mut self.fresh, &[]);
        if is_new {
            self.kept.clear();
            append(&mut self.kept, &[]);
        }
        // Where a kernel has no argument, nothing is expected.
        let mut arguments = [Argument::Number(self.random.u64(..)); 4];
        for (n, argument) in arguments.iter_mut().enumerate().take(self.parameters.len()) {
            *argument = match &self.parameters[n] {
                Parameter::Count => Argument::Number(self.random.u64(..=GROUPS as u64)),
                Parameter::Flag => Argument::Number(self.random.u64(..2)),
                Parameter::Region(content) if content.is_kept() => {
                    if is_new {
                        let content = self.content(n);
                        self.places[n] = append(&mut self.kept, &content);
                    }
                    Argument::Kept(self.places[n])
                }
                Parameter::Region(_) => {
                    let content = self.content(n);
                    Argument::Fresh(append(&mut self.fresh, &content))
                }
            };
        }
        (arguments, is_new)
    }
}

/// Appends a region, and a gap behind it; where it begins.
fn append(memory: &mut Vec<u8>, region: &[u8]) -> usize {
    const FILL: u8 = 0xc3;
    let at = memory.len();
    memory.extend(region);
    memory.resize(memory.len().next_multiple_of(ALIGN) + GAP, FILL);
    at
}
