//! The processor that this process runs on.

use serde::Serialize;

/// What matters of a processor here.
#[derive(Clone, Debug, Serialize)]
pub struct Processor {
    /// `x86_64`, `aarch64`, ...
    pub architecture: &'static str,
    /// What the processor, or the system, calls it.
    pub name: Option<String>,
    /// Instruction sets that a kernel could use and that are there.
    pub features: Vec<&'static str>,
    /// Threads that run at the same time.
    pub threads: usize,
}

impl Processor {
    /// Asks the processor and the system.
    #[must_use]
    pub fn detect() -> Self {
        Self {
            architecture: std::env::consts::ARCH,
            name: name(),
            features: features(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Its name, or its architecture where it has none.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.architecture)
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn name() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    Some(brand.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The numbers of its family and model, as makers give several processors one name; only x86 has them.
#[must_use]
pub fn model() -> Option<(u8, u8)> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return raw_cpuid::CpuId::new()
        .get_feature_info()
        .map(|info| (info.family_id(), info.model_id()));
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    None
}

/// Linux knows names of other processors, some of the time.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    ["model name", "Model", "cpu model", "cpu"].into_iter().find_map(value)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    macro_rules! detected {
        ($($feature:tt)*) => {
            [$(($feature, std::arch::is_x86_feature_detected!($feature))),*]
        };
    }
    let all = detected!("sse2" "ssse3" "bmi1" "bmi2" "avx" "avx2" "gfni" "avx512f" "avx512bw"
        "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2");
    all.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    macro_rules! detected {
        ($($feature:tt)*) => {
            [$(($feature, std::arch::is_aarch64_feature_detected!($feature))),*]
        };
    }
    let all = detected!("neon" "sha3" "sve" "sve2");
    all.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
