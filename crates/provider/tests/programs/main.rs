//! The provider as programs meet it: OpenSSL's own commands, and C programs that compare it with OpenSSL's
//! default and legacy providers, call by call.
#![cfg(target_os = "linux")]

mod commands;
mod evp;
mod evp_test;
mod install;
mod laws;
mod support;
mod tls;
