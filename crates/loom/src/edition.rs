//! A kernel as it ships: a strategy, made for processors with certain features.

use std::fmt;
use std::str::FromStr;

use crate::allocate::Wrong;
use crate::ciphers::Strategy;
use crate::ciphers::des::Layout;
use crate::ciphers::des::bitslice::Gates;
use crate::target::abi::Abi;
use crate::target::x86_64::{Features, Made, Plan, make};

/// The sets of features for which a strategy can be made, and makes a difference.
#[must_use]
pub fn feature_sets(strategy: &Strategy) -> &'static [Features] {
    match strategy {
        Strategy::Des(variant) if variant.layout == Layout::Registers512 => &[Features::VBMI],
        Strategy::Des(variant) if variant.layout == Layout::Registers256 => &[Features::AVX2],
        Strategy::Des(_) | Strategy::Rc4(_) if strategy.is_moving() => &[Features::BMI2],
        Strategy::Des(_) | Strategy::Rc4(_) => &Features::WORDS,
        Strategy::Bitslice(variant) => match (variant.gates, variant.lanes) {
            (Gates::Three, _) => &[Features::AVX512],
            (Gates::Two, 256) => &[Features::AVX2],
            (Gates::Two, _) => &[Features::NONE],
        },
    }
}

/// A strategy and the features that its instructions may need.
///
/// Its name is the strategy's with the features behind it (`des_encrypt_table64_bmi2`), so that
/// kernels for old and new processors live side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edition {
    /// What is computed, and how.
    pub strategy: Strategy,
    /// What the processor must have.
    pub features: Features,
}

impl Edition {
    /// A strategy for certain features: where they include moving bits under masks, or operations
    /// of three inputs, and there is a way of the strategy that uses these, that one.
    #[must_use]
    pub fn new(strategy: Strategy, features: Features) -> Self {
        let moving = strategy.moving().filter(|_| features.bmi2);
        let by_three = strategy.by_three().filter(|_| features.avx512);
        Self { strategy: moving.or(by_three).unwrap_or(strategy), features }
    }

    /// Every kernel, for every set of features.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let plain = Strategy::all().into_iter().filter(Strategy::is_plain);
        let each = |strategy: Strategy| {
            let by_three = strategy.by_three();
            let by_three = by_three.as_ref().map_or(&[][..], feature_sets);
            let sets = feature_sets(&strategy).iter().chain(by_three);
            sets.map(move |&features| Self::new(strategy, features))
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
    pub fn untuned(&self) -> Plan {
        Plan::untuned(self.features)
    }

    /// Makes it.
    ///
    /// # Errors
    /// As [`make`].
    ///
    /// # Panics
    /// If the plan is for other features.
    pub fn make(&self, abi: &'static Abi, plan: &Plan) -> Result<Made, Wrong> {
        assert_eq!(plan.features, self.features, "a plan for another edition");
        let mut made = make(&self.strategy.kernel(), abi, plan)?;
        made.record.name = self.name();
        Ok(made)
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
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
        let found = Self::all().into_iter().find(|edition| edition.name() == name);
        found.ok_or_else(|| NoSuchKernel(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        for edition in Edition::all() {
            assert_eq!(edition.name().parse(), Ok(edition));
        }
        assert_eq!("des".parse::<Edition>(), Err(NoSuchKernel("des".to_owned())));
    }
}
