//! Many values in one call: columns in, a result, a status and perhaps an error for each.

mod by_cipher;
mod by_preset;
mod call;
mod column;
mod list;
mod output;
mod plan;
mod serve;
mod served;
mod sides;

pub(crate) use call::Call;
pub(crate) use output::Records;
