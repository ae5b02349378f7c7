//! Many values in one call: columns in, a result, a status and perhaps an error for each.

mod call;
mod column;
mod output;
mod plan;
mod serve;
mod served;
mod sides;

pub(crate) use call::Call;
pub(crate) use output::Records;
