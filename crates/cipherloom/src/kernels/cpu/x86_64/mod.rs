//! An x86-64: what it has (`detect.rs`), and portable loops compiled for its wider vectors (`wide.rs`).

mod detect;
#[path = "../found.rs"]
mod found;
#[path = "../unsteady.rs"]
mod unsteady;
mod wide;

pub(crate) use detect::{
    Avx2, Avx512, Baseline, Bmi2, FEATURES, Gfni, MODELS, Vbmi, is_intel, model, of_model, vendor,
};
pub(crate) use unsteady::Steady;
pub(crate) use wide::{widely, zero};
