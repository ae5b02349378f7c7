//! A benchmark checks what it measures: no figure without a right result.

use super::benchmark::{Benchmark, Load, Work, backends, filler};
use crate::errors::{Error, Result};

/// Up to this many bytes a result is compared with that of every other backend; above, where a
/// bulk kernel forced to run a chain would take minutes, the transformation is undone.
const COMPARED: usize = 1024;

/// Runs a benchmark once and looks at the bytes.
///
/// # Errors
/// A failure that says which byte is wrong, or that the library refused.
pub(crate) fn check(benchmark: &Benchmark<'_>) -> Result<()> {
    check_work(benchmark, benchmark.work()?)
}

/// [`check`] of `work`, which claims to do what `benchmark` says.
pub(crate) fn check_work(benchmark: &Benchmark<'_>, mut work: Work) -> Result<()> {
    let message = filler(1, benchmark.load.bytes());
    let mut result = message.clone();
    work(&mut result)?;
    let others = backends(benchmark.cipher).filter(|&backend| Some(backend) != benchmark.backend);
    for backend in others {
        let other = Benchmark { backend: Some(backend), ..benchmark.clone() };
        let mut expected = message.clone();
        match benchmark.load {
            Load::Message(bytes) if bytes > COMPARED => continue,
            Load::Message(_) => other.work()?(&mut expected)?,
            Load::Records { bytes, .. } => {
                for (n, record) in expected.chunks_exact_mut(bytes).enumerate() {
                    other.message(n)?(record)?;
                }
            }
        }
        same(benchmark, "differs from what other backends give", &expected, &result)?;
    }
    let inverse =
        Benchmark { direction: benchmark.direction.inverse(), backend: None, ..benchmark.clone() };
    inverse.work()?(&mut result)?;
    same(benchmark, "is not undone by the inverse", &message, &result)
}

fn same(benchmark: &Benchmark<'_>, what: &str, expected: &[u8], got: &[u8]) -> Result<()> {
    let Some(at) = expected.iter().zip(got).position(|(expected, got)| expected != got) else {
        return Ok(());
    };
    Err(Error::failure(format!(
        "{}: the result {what}, from byte {at} on; nothing that computes wrongly is measured",
        benchmark.name()
    )))
}

#[cfg(test)]
mod tests {
    use super::super::benchmark::MeasuredDirection;
    use super::*;
    use cipherloom_formats::Cipher;

    const RECORDS: Load = Load::Records { count: 70, bytes: 32 };

    fn benchmarks(cipher: &Cipher) -> Vec<Benchmark<'_>> {
        let mut benchmarks = Vec::new();
        for &direction in MeasuredDirection::of(cipher) {
            for backend in backends(cipher).map(Some).chain([None]) {
                for load in [Load::Message(8), Load::Message(64), Load::Message(2048), RECORDS] {
                    let benchmark = Benchmark { cipher, direction, backend, load };
                    benchmarks.extend(benchmark.exists().then_some(benchmark));
                }
            }
        }
        benchmarks
    }

    #[test]
    fn all_that_can_be_measured_is_right() {
        for name in Cipher::names() {
            let cipher = Cipher::find(&name).unwrap();
            for benchmark in benchmarks(&cipher) {
                check(&benchmark).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }

    #[test]
    fn a_wrong_result_is_caught_wherever_it_is() {
        for name in ["des-cbc", "des-ede3-ctr", "rc4"] {
            let cipher = Cipher::find(name).unwrap();
            for benchmark in benchmarks(&cipher) {
                for at in [0, benchmark.load.bytes() / 2, benchmark.load.bytes() - 1] {
                    let mut right = benchmark.work().unwrap();
                    let wrong: Work = Box::new(move |data| {
                        right(data)?;
                        data[at] ^= 1;
                        Ok(())
                    });
                    let error = check_work(&benchmark, wrong).expect_err(&benchmark.name());
                    assert!(error.to_string().contains("nothing that computes wrongly"), "{error}");
                }
            }
        }
    }

    #[test]
    fn work_that_does_nothing_is_caught() {
        for name in ["des-ede3-cbc", "des-ede3-ofb", "rc4"] {
            let cipher = Cipher::find(name).unwrap();
            for benchmark in benchmarks(&cipher) {
                assert!(
                    check_work(&benchmark, Box::new(|_| Ok(()))).is_err(),
                    "{}",
                    benchmark.name()
                );
            }
        }
    }
}
