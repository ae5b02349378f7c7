//! A kernel as it ships: a strategy, made in an instruction set for processors with certain features.

use std::fmt;
use std::str::FromStr;

use crate::allocate::Wrong;
use crate::ciphers::Strategy;
use crate::isa::frame::Abi;
use crate::isa::{Features, Isa, Model, Target, Usual, registry};
use crate::pipeline::{Compiled, CompiledKernel, Options, compile, compile_for};
use crate::schedule::Order;

/// The sets of features for which a strategy can be made on a target, and makes a difference; none if
/// it cannot be made there.
#[must_use]
pub fn feature_sets(target: &'static Target, strategy: &Strategy) -> &'static [Features] {
    (target.serves)(&strategy.requirements()).unwrap_or(&[])
}

/// A strategy, the instruction set that it is made in, and the features that its instructions may
/// need.
///
/// Its name is the strategy's with the features behind it (`des_encrypt_table64_bmi2`), so that
/// kernels for old and new processors live side by side. Variants of different instruction sets may
/// have one name, as no program holds both; as text those of others than the first target have the
/// target before it (`x86/des_encrypt_table32`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelVariant {
    /// The instruction set.
    pub target: &'static Target,
    /// What is computed, and how.
    pub strategy: Strategy,
    /// What the processor must have.
    pub features: Features,
}

impl KernelVariant {
    /// A strategy on the target of plain names for certain features, as [`on`](Self::on).
    #[must_use]
    pub fn new(strategy: Strategy, features: Features) -> Self {
        Self::on(registry::plain(), strategy, features)
    }

    /// A strategy on a target for certain features: of its ways the one that makes most of these.
    #[must_use]
    pub fn on(target: &'static Target, strategy: Strategy, features: Features) -> Self {
        let ways = if strategy.is_plain() { strategy.ways() } else { vec![strategy] };
        let sets = |way: &&Strategy| feature_sets(target, way);
        let has = |way: &&Strategy| sets(way).iter().any(|set| features.include(*set));
        let best = ways.iter().rfind(has).or_else(|| ways.iter().find(|way| !sets(way).is_empty()));
        Self { target, strategy: best.copied().unwrap_or(strategy), features }
    }

    /// Every kernel of a target, for every set of features.
    #[must_use]
    pub fn all(target: &'static Target) -> Vec<Self> {
        let mut all = Vec::new();
        for strategy in Strategy::all().into_iter().filter(Strategy::is_plain) {
            let mut sets: Vec<Features> = Vec::new();
            for set in strategy.ways().iter().flat_map(|way| feature_sets(target, way)) {
                if !sets.contains(set) {
                    sets.push(*set);
                }
            }
            all.extend(sets.into_iter().map(|features| Self::on(target, strategy, features)));
        }
        all
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
        let Usual { costs, choices, unroll, hoist, ordered, .. } = self.target.usual;
        Options {
            choices: choices(),
            unroll,
            hoist,
            order: ordered.then(Order::default),
            ..Options::untuned(costs, self.features)
        }
    }

    /// The plan by which it is made for a calling convention if nobody tuned it: of the target's ways the
    /// first that does fewest instructions, where it has several.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn shortest(&self, abi: &'static Abi) -> Result<Options, Wrong> {
        let kernel = self.strategy.kernel();
        let mut best: Option<(Option<u64>, Options)> = None;
        for &(hoist, window) in self.target.usual.ways {
            let order = Some(Order { window, ..Order::default() });
            let plan = Options { order, hoist, ..self.untuned() };
            let each = compile_for(&kernel, abi, &plan)?.each();
            if best.as_ref().is_none_or(|(least, _)| each < *least) {
                best = Some((each, plan));
            }
        }
        Ok(best.map_or_else(|| self.untuned(), |(_, plan)| plan))
    }

    /// Makes it.
    ///
    /// # Errors
    /// As [`compile`].
    ///
    /// # Panics
    /// If the plan is for other features, or the calling convention for another target.
    pub fn make(
        &self,
        abi: &'static Abi,
        plan: &Options,
    ) -> Result<Box<dyn CompiledKernel>, Wrong> {
        self.fits(abi, plan);
        let mut made = compile_for(&self.strategy.kernel_ahead(plan.choices.ahead), abi, plan)?;
        made.rename(self.name());
        Ok(made)
    }

    /// Makes it with all that is on the way to it, which only its own instruction set has.
    ///
    /// # Errors
    /// As [`compile`].
    ///
    /// # Panics
    /// As [`make`](Self::make), or if `T` is another instruction set.
    pub fn compile<T: Isa>(&self, abi: &'static Abi, plan: &Options) -> Result<Compiled<T>, Wrong> {
        self.fits(abi, plan);
        let mut made = compile(&self.strategy.kernel_ahead(plan.choices.ahead), abi, plan)?;
        made.record.name = self.name();
        Ok(made)
    }

    fn fits(&self, abi: &Abi, plan: &Options) {
        assert_eq!(plan.features, self.features, "a plan for another variant");
        assert_eq!(abi.target, self.target, "another target's convention");
    }
}

impl fmt::Display for KernelVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.target == registry::plain() {
            true => f.write_str(&self.name()),
            false => write!(f, "{}/{}", self.target, self.name()),
        }
    }
}

/// Why a strategy cannot be made on a target, if it cannot.
#[must_use]
pub fn refusal(target: &'static Target, strategy: &Strategy) -> Option<&'static str> {
    let way = KernelVariant::on(target, *strategy, Features::NONE).strategy;
    (target.serves)(&way.requirements()).err()
}

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

impl KernelVariant {
    /// The variant of a kernel for a processor: the one of this name, or of all whose strategy has this
    /// name the one that makes most of the processor.
    ///
    /// # Errors
    /// [`Impossible`].
    pub fn for_model(name: &str, model: &'static Model) -> Result<Self, Impossible> {
        let all = Self::all(model.target);
        let known = |variant: &&Self| variant.name() == name;
        let plain = |variant: &&Self| variant.strategy.plain_name() == name;
        let fits = |variant: &&Self| model.has(variant.features);
        // Later ones need more.
        let best = all.iter().filter(plain).rfind(fits).or_else(|| all.iter().find(known));
        if let Some(found) = best.filter(fits) {
            return Ok(*found);
        }
        let name = name.to_owned();
        if let Some(variant) = best.or_else(|| all.iter().find(plain)) {
            return Err(Impossible::Lacks { name, model, features: variant.features });
        }
        let mut others = registry::targets().flat_map(Self::all);
        let other = others.find(|variant| known(&variant) || plain(&variant));
        Err(match other.and_then(|other| refusal(model.target, &other.strategy)) {
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

impl FromStr for KernelVariant {
    type Err = NoSuchKernel;

    fn from_str(name: &str) -> Result<Self, NoSuchKernel> {
        let (target, label) = name.split_once('/').unwrap_or((registry::plain().name, name));
        let target = registry::targets().find(|one| one.name == target);
        let mut all = target.into_iter().flat_map(Self::all);
        let found = all.find(|variant| variant.name() == label);
        found.ok_or_else(|| NoSuchKernel(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::registry::models;

    #[test]
    fn slow_what_cannot_be_made_is_refused_with_the_reason_and_all_else_is_made() {
        for strategy in Strategy::all().iter().filter(|strategy| strategy.is_plain()) {
            for model in models() {
                let name = strategy.plain_name();
                match KernelVariant::for_model(&name, model) {
                    Ok(variant) => assert_eq!(variant.strategy.plain_name(), name),
                    Err(Impossible::Refused { .. }) => {
                        assert!(refusal(model.target, strategy).is_some());
                    }
                    Err(Impossible::Lacks { features, .. }) => assert!(!model.has(features)),
                    Err(error @ Impossible::Unknown(_)) => panic!("{}: {error}", model.name),
                }
            }
        }
        let for_model =
            |name, model| KernelVariant::for_model(name, Model::by_name(model).unwrap());
        for (model, features) in [("386", &[][..]), ("pentium", &["bswap"]), ("x86", &["bmi2"])] {
            let variant = for_model("des_encrypt_table32", model).unwrap();
            assert_eq!(variant.features.names(), features, "{model}");
        }
        let error = for_model("des_encrypt_table64", "pentium").unwrap_err().to_string();
        assert!(error.contains("words of 64 bits"), "{error}");
        let error = for_model("des_encrypt_table32_bmi2", "486").unwrap_err().to_string();
        assert!(error.contains("needs bmi2, which 486 has not"), "{error}");
        assert!(matches!(for_model("des", "386"), Err(Impossible::Unknown(_))));
    }

    #[test]
    fn names_are_unique_and_lead_back() {
        for target in registry::targets() {
            let all = KernelVariant::all(target);
            assert!(!all.is_empty(), "{target} has no kernel");
            for variant in all {
                assert_eq!(variant.to_string().parse(), Ok(variant));
            }
        }
        assert_eq!("des".parse::<KernelVariant>(), Err(NoSuchKernel("des".to_owned())));
    }
}
