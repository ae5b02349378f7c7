//! Test support: vectors, random input, guard pages, peers.
