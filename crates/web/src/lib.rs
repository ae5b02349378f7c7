//! What the page `web/cipherloom.html` does beside looking good: a thin layer on `cipherloom-formats`, compiled
//! to WebAssembly.
//!
//! * [`session`] is what the page can ask for. It asks by `face.rs`: functions on numbers, and two buffers, one
//!   each way. Lists, forms and reports are JSON.
//! * `catalogue.rs` says which presets and ciphers there are and what each needs, and what a value may be.
//! * `form.rs` is what the user filled in, `filled.rs` what a preset takes of it. `value.rs` opens a value by it, `stream.rs` a file in pieces.
//! * `words.rs`: what is wrong, and which of the page's fields helps.
//! * [`page`] puts the page together: style, scripts and WebAssembly in one file.

mod catalogue;
#[cfg(target_family = "wasm")]
mod face;
mod filled;
mod form;
pub mod page;
mod sampler;
pub mod session;
mod stream;
mod value;
mod words;

/// Memory is wiped when it is freed, all of it: passwords and plaintexts pass through buffers and forms.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: zeroizing_alloc::ZeroAlloc<std::alloc::System> =
    zeroizing_alloc::ZeroAlloc(std::alloc::System);
