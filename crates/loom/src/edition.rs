//! A kernel as it ships: a strategy, made in an instruction set for processors with certain features.

use std::fmt;
use std::str::FromStr;

use crate::allocate::Wrong;
use crate::ciphers::des::bitslice::Gates;
use crate::ciphers::des::{Frame, Layout, Permute};
use crate::ciphers::rc4::{Entry, Task};
use crate::ciphers::{Strategy, Word};
use crate::isa::Architecture;
use crate::isa::Features;
use crate::isa::frame::Abi;
use crate::isa::hppa::Hppa;
use crate::isa::registry::{self, Model};
use crate::isa::x86;
use crate::isa::x86::{X86, features};
use crate::isa::{Choices, Sums};
use crate::pipeline::{Compiled, Options, compile, compile_shortest};
use crate::record::Record;
use crate::schedule::Order;

/// The sets of features for which a strategy can be made on an instruction set, and makes a
/// difference; none if it cannot be made there.
#[must_use]
pub fn feature_sets(architecture: Architecture, strategy: &Strategy) -> &'static [Features] {
    if strategy.is_by_matrices() {
        return match (architecture, strategy) {
            (Architecture::X86_64, _) => &[features::GFNI],
            (Architecture::X86, Strategy::Libdes(variant)) if !variant.wide => &[features::GFNI],
            _ => &[],
        };
    }
    match architecture {
        Architecture::X86_64 => match strategy {
            Strategy::Des(variant) if variant.layout == Layout::Registers512 => &[features::VBMI],
            Strategy::Des(variant) if variant.layout == Layout::Registers256 => &[features::AVX2],
            Strategy::Des(_) | Strategy::Rc4(_) if strategy.is_moving() => &[features::BMI2],
            Strategy::Des(_) | Strategy::Libdes(_) | Strategy::Rc4(_) => &features::WORDS,
            Strategy::Bitslice(variant) => match (variant.gates, variant.lanes) {
                (Gates::Three, _) => &[features::AVX512],
                (Gates::Two, 256) => &[features::AVX2],
                (Gates::Two, _) => &[Features::NONE],
            },
        },
        Architecture::X86 => match strategy {
            Strategy::Des(variant) if variant.layout == Layout::Rotated => {
                &[Features::NONE, features::BSWAP, features::BMI2]
            }
            // No bytes are reversed.
            Strategy::Libdes(variant) if !variant.wide => &[Features::NONE, features::BMI2],
            Strategy::Rc4(variant) if variant.word == Word::Bits32 => &[Features::NONE],
            Strategy::Bitslice(variant) if variant.is_narrow() => match variant.lanes {
                256 => &[features::AVX2],
                _ => &[features::SSE2],
            },
            Strategy::Des(_) | Strategy::Libdes(_) | Strategy::Rc4(_) | Strategy::Bitslice(_) => {
                &[]
            }
        },
        // One block at a time: code and tables have 64 KB between them and their program.
        Architecture::X86Real => match strategy {
            Strategy::Des(variant)
                if variant.layout == Layout::Rotated
                    && !matches!(variant.frame, Frame::Blocks(n) if n > 1) =>
            {
                &[Features::NONE]
            }
            _ => &[],
        },
        Architecture::PaRisc => match fits_pa_risc(strategy) {
            Ok(()) => &[Features::NONE],
            Err(_) => &[],
        },
    }
}

/// A strategy, the instruction set that it is made in, and the features that its instructions may
/// need.
///
/// Its name is the strategy's with the features behind it (`des_encrypt_table64_bmi2`), so that
/// kernels for old and new processors live side by side. Editions of different instruction sets may
/// have one name, as no program holds both; as text those of others than x86-64 have the instruction
/// set before it (`x86/des_encrypt_table32`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edition {
    /// The instruction set.
    pub architecture: Architecture,
    /// What is computed, and how.
    pub strategy: Strategy,
    /// What the processor must have.
    pub features: Features,
}

impl Edition {
    /// A strategy on x86-64 for certain features: where they include moving bits under masks, products
    /// with matrices of bits, or operations of three inputs, and there is a way of the strategy that
    /// uses these, that one.
    #[must_use]
    pub fn new(strategy: Strategy, features: Features) -> Self {
        Self::on(Architecture::X86_64, strategy, features)
    }

    /// The same on any instruction set: where its words have 32 bits, the strategy's way in such words.
    #[must_use]
    pub fn on(architecture: Architecture, strategy: Strategy, features: Features) -> Self {
        let moving = strategy.moving().filter(|_| features.include(features::BMI2));
        let by_three = strategy.by_three().filter(|_| features.include(features::AVX512));
        // Processors with BMI2 have large caches; 32-bit code has too few registers to gain from it.
        let wide = strategy.wide().filter(|_| features.include(features::BMI2));
        let way = match architecture {
            Architecture::X86_64 => moving.or(by_three).or(wide),
            Architecture::PaRisc | Architecture::X86Real => None,
            Architecture::X86 => strategy.narrow(),
        };
        let way = way.unwrap_or(strategy);
        let by_matrices = way.by_matrices().filter(|_| features.include(features::GFNI));
        Self { architecture, strategy: by_matrices.unwrap_or(way), features }
    }

    /// Every kernel of an instruction set, for every set of features.
    #[must_use]
    pub fn all(architecture: Architecture) -> Vec<Self> {
        let plain = Strategy::all().into_iter().filter(Strategy::is_plain);
        let each = |strategy: Strategy| {
            let ways = match architecture {
                Architecture::X86_64 => {
                    [Some(strategy), strategy.by_matrices().or(strategy.by_three())]
                }
                Architecture::PaRisc | Architecture::X86Real => [Some(strategy), None],
                Architecture::X86 => [strategy.narrow().or(Some(strategy)), strategy.by_matrices()],
            };
            let sets = ways.into_iter().flatten().flat_map(|way| feature_sets(architecture, &way));
            sets.map(|&features| Self::on(architecture, strategy, features)).collect::<Vec<_>>()
        };
        plain.flat_map(each).collect()
    }

    /// A name that is a label everywhere.
    #[must_use]
    pub fn name(&self) -> String {
        let features = self.features.names().into_iter().map(|name| format!("_{name}"));
        self.strategy.plain_name() + &features.collect::<String>()
    }

    /// The plan by which it is made if nobody tuned it.
    #[must_use]
    pub fn untuned(&self) -> Options {
        let costs = registry::costs_of(self.architecture).next().expect("costs of a processor");
        let plan = Options::untuned(costs, self.features);
        match self.architecture {
            // Rounds and passes are written out. By the costs of the 386, which does one instruction
            // after the other, there is little better than few instructions in their natural order, and
            // words loaded before they are XORed.
            Architecture::X86Real => Options {
                costs: x86::costs::OLD[0],
                unroll: REAL_MODE,
                choices: Choices { sums: Sums::dealt(1), memory_operands: false, ..plan.choices },
                ..plan
            },
            // All rounds of a pass over one block are written out.
            Architecture::PaRisc => {
                Options { unroll: ONE_PASS, hoist: 4, order: Some(Order::default()), ..plan }
            }
            _ => plan,
        }
    }

    /// Makes it for x86.
    ///
    /// # Errors
    /// As [`compile`].
    ///
    /// # Panics
    /// If the plan is for other features, or the calling convention for another instruction set; on
    /// PA-RISC, which is [`make_hppa`](Self::make_hppa)'s.
    pub fn make(&self, abi: &'static Abi, plan: &Options) -> Result<Compiled<X86>, Wrong> {
        assert_eq!(plan.features, self.features, "a plan for another edition");
        assert_eq!(abi.architecture, self.architecture, "another instruction set's convention");
        let mut made = compile(&self.strategy.kernel(), abi, plan)?;
        made.record.name = self.name();
        Ok(made)
    }

    /// Makes it for PA-RISC, by the costs of the processors that there were.
    ///
    /// # Errors
    /// As [`compile`].
    ///
    /// # Panics
    /// If it is for another instruction set, or the calling convention is another one's.
    pub fn make_hppa(&self, abi: &'static Abi) -> Result<Compiled<Hppa>, Wrong> {
        // How far ahead an instruction goes, and how many subkeys stay in registers, decides what else
        // has room there.
        const WAYS: [(usize, u16); 6] = [(0, 24), (3, 16), (4, 8), (5, 8), (5, 16), (8, 8)];
        assert_eq!(self.architecture, Architecture::PaRisc, "another instruction set");
        assert_eq!(abi.architecture, self.architecture, "another instruction set's convention");
        let ways = WAYS.map(|(hoist, window)| {
            let order = Some(Order { window, ..Order::default() });
            Options { order, hoist, ..self.untuned() }
        });
        let mut made = compile_shortest(&self.strategy.kernel(), abi, &ways)?;
        made.record.name = self.name();
        Ok(made)
    }

    /// Makes it by the usual calling convention, and says what is known of it then; `plan` is for
    /// x86.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    ///
    /// # Panics
    /// If the plan is for other features.
    pub fn record(&self, plan: &Options) -> Result<Record, Wrong> {
        Ok(match self.architecture {
            Architecture::PaRisc => self.make_hppa(Abi::usual(Architecture::PaRisc))?.record,
            x86 => self.make(Abi::usual(x86), plan)?.record,
        })
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.architecture {
            Architecture::X86_64 => f.write_str(&self.name()),
            other => write!(f, "{other}/{}", self.name()),
        }
    }
}

/// Whether a strategy can be made on PA-RISC.
///
/// # Errors
/// Why not, in a few words.
pub fn fits_pa_risc(strategy: &Strategy) -> Result<(), &'static str> {
    match strategy {
        Strategy::Bitslice(_) => Err("has vectors, which PA-RISC has not"),
        Strategy::Des(variant) if variant.layout.is_in_registers() => {
            Err("looks up inside vectors, which PA-RISC has not")
        }
        Strategy::Des(variant) if variant.permute == Permute::Moves => {
            Err("moves bits under masks, for which PA-RISC has no instruction")
        }
        Strategy::Des(variant) if variant.permute == Permute::Matrices => {
            Err("has products with matrices of bits, for which PA-RISC has no instruction")
        }
        Strategy::Rc4(variant)
            if variant.entry != Entry::Byte && matches!(variant.task, Task::Setup(_)) =>
        {
            Err(
                "stores two entries at once, lowest byte first, which PA-RISC's order of bytes is not",
            )
        }
        Strategy::Libdes(_) => Err("libdes' functions were assembly for x86"),
        Strategy::Des(_) | Strategy::Rc4(_) => Ok(()),
    }
}

/// Why a strategy cannot be made on an instruction set, if it cannot.
#[must_use]
pub fn refusal(architecture: Architecture, strategy: &Strategy) -> Option<&'static str> {
    if !feature_sets(architecture, &Edition::on(architecture, *strategy, Features::NONE).strategy)
        .is_empty()
    {
        return None;
    }
    if let (Architecture::PaRisc, Err(why)) = (architecture, fits_pa_risc(strategy)) {
        return Some(why);
    }
    if architecture == Architecture::X86Real {
        return Some(
            "is not made for real mode, where there is DES, one block at a time, with 2 KB of tables",
        );
    }
    Some(match strategy {
        Strategy::Des(variant) if variant.layout.is_in_registers() => {
            "looks up inside registers that 32-bit code has too few of"
        }
        Strategy::Bitslice(variant) if variant.lanes > 64 => {
            "has vectors of AVX-512, which are not made for 32-bit programs"
        }
        Strategy::Des(_) | Strategy::Libdes(_) | Strategy::Bitslice(_) | Strategy::Rc4(_) => {
            "has words of 64 bits"
        }
    })
}

/// More operations than DES or Triple-DES has with all rounds written out.
const REAL_MODE: u64 = 8000;

/// About as many operations as a pass of DES over one block has with its rounds written out.
const ONE_PASS: u64 = 500;

/// Why there is no kernel for a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// There is none of this name at all.
    Unknown(NoSuchKernel),
    /// It cannot be made in the processor's instruction set.
    Refused {
        /// The kernel.
        name: String,
        /// The processor.
        model: &'static Model,
        /// What the kernel has that the instruction set has not.
        why: &'static str,
    },
    /// The processor lacks what it was made for.
    Lacks {
        /// The kernel.
        name: String,
        /// The processor.
        model: &'static Model,
        /// What the processor lacks.
        features: Features,
    },
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Refused { name, model, why } => {
                write!(f, "`{name}` {why}, so there is none for {} ({})", model.name, model.doc)
            }
            Self::Lacks { name, model, features } => {
                let needs = features.names().join(" and ");
                write!(f, "`{name}` needs {needs}, which {} has not ({})", model.name, model.doc)
            }
        }
    }
}

impl std::error::Error for Impossible {}

impl Edition {
    /// The edition of a kernel for a processor: the one of this name, or of all whose strategy has this
    /// name the one that makes most of the processor.
    ///
    /// # Errors
    /// [`Impossible`].
    pub fn for_model(name: &str, model: &'static Model) -> Result<Self, Impossible> {
        let all = Self::all(model.architecture);
        let known = |edition: &&Self| edition.name() == name;
        let plain = |edition: &&Self| edition.strategy.plain_name() == name;
        let fits = |edition: &&Self| model.has(edition.features);
        // Later ones need more.
        let best = all.iter().filter(plain).rfind(fits).or_else(|| all.iter().find(known));
        if let Some(found) = best.filter(fits) {
            return Ok(*found);
        }
        let name = name.to_owned();
        if let Some(edition) = best.or_else(|| all.iter().find(plain)) {
            return Err(Impossible::Lacks { name, model, features: edition.features });
        }
        let mut others = Architecture::ALL.into_iter().flat_map(Self::all);
        let other = others.find(|edition| known(&edition) || plain(&edition));
        Err(match other.and_then(|other| refusal(model.architecture, &other.strategy)) {
            Some(why) => Impossible::Refused { name, model, why },
            None => Impossible::Unknown(NoSuchKernel(name)),
        })
    }
}

/// There is no kernel of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchKernel(pub String);

impl fmt::Display for NoSuchKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no kernel `{}`", self.0)
    }
}

impl std::error::Error for NoSuchKernel {}

impl FromStr for Edition {
    type Err = NoSuchKernel;

    fn from_str(name: &str) -> Result<Self, NoSuchKernel> {
        let (architecture, label) = name.split_once('/').unwrap_or(("x86-64", name));
        let architecture = Architecture::ALL.into_iter().find(|one| one.name() == architecture);
        let mut all = architecture.into_iter().flat_map(Self::all);
        let found = all.find(|edition| edition.name() == label);
        found.ok_or_else(|| NoSuchKernel(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::registry::models;

    #[test]
    fn what_cannot_be_made_is_refused_with_the_reason_and_all_else_is_made() {
        for strategy in Strategy::all().iter().filter(|strategy| strategy.is_plain()) {
            for model in models() {
                let name = strategy.plain_name();
                match Edition::for_model(&name, model) {
                    Ok(edition) => assert_eq!(edition.strategy.plain_name(), name),
                    Err(Impossible::Refused { .. }) => {
                        assert!(refusal(model.architecture, strategy).is_some());
                    }
                    Err(Impossible::Lacks { features, .. }) => assert!(!model.has(features)),
                    Err(error @ Impossible::Unknown(_)) => panic!("{}: {error}", model.name),
                }
            }
        }
        let for_model = |name, model| Edition::for_model(name, Model::by_name(model).unwrap());
        assert_eq!(for_model("des_encrypt_table32", "386").unwrap().features, Features::NONE);
        assert_eq!(for_model("des_encrypt_table32", "pentium").unwrap().features, features::BSWAP);
        assert_eq!(for_model("des_encrypt_table32", "x86").unwrap().features, features::BMI2);
        let error = for_model("des_encrypt_table64", "pentium").unwrap_err().to_string();
        assert!(error.contains("words of 64 bits"), "{error}");
        let error = for_model("des_encrypt_table32_bmi2", "486").unwrap_err().to_string();
        assert!(error.contains("needs bmi2, which 486 has not"), "{error}");
        assert!(matches!(for_model("des", "386"), Err(Impossible::Unknown(_))));
    }

    #[test]
    fn names_are_unique_and_lead_back() {
        for architecture in Architecture::ALL {
            let all = Edition::all(architecture);
            assert!(!all.is_empty(), "{architecture} has no kernel");
            for edition in all {
                assert_eq!(edition.to_string().parse(), Ok(edition));
            }
        }
        assert_eq!("des".parse::<Edition>(), Err(NoSuchKernel("des".to_owned())));
    }
}
