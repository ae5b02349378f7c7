//! The kernels in this program's memory are those that were proved, on every processor and system with a manifest.

#[test]
fn kernels_in_memory_are_the_proved_ones() {
    let Some(manifest) = proved::manifest() else {
        println!("left out: no kernel for this processor was proved");
        return;
    };
    let mut count = 0;
    for (symbol, code) in cipherloom::kernels_in_memory() {
        let check = |code| proved::check(manifest, (symbol, code), cipherloom::tables_in_memory());
        assert_eq!(check(code), Ok(()), "{symbol}");
        // A copy lies elsewhere than its tables want; without these it would be the same but for the change.
        let mut copy = code.to_vec();
        copy[code.len() / 2] ^= 1;
        check(&copy).unwrap_err();
        count += 1;
    }
    println!("{count} kernels are the proved ones");
    assert_eq!(count > 0, cfg!(not(cipherloom_portable)), "kernels in assembly");
}
