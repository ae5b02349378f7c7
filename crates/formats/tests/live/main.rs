//! The real programs, started: what they wrote is opened, and what is made here they open.
//!
//! `cargo xtask test --all` runs these, and installs the programs; they take a minute. One that is missing
//! fails its test, unless `CIPHERLOOM_WITHOUT_PEERS` names it.

#![cfg(target_os = "linux")]

mod drive;
mod java;
mod javascript;
mod lucee;
mod mariadb;
mod mcrypt;
mod mono;
mod openssl;
mod perl;
mod php;
mod postgresql;
mod ruby;
mod wine;
