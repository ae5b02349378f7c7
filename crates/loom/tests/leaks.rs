//! Constant time, by two checks that share nothing: of descriptions and of machine code.

use loom::edition::Edition;
use loom::leaks::leaks;
use loom::target::Architecture;
use loom::target::abi::Abi;

#[test]
fn machine_code_leaks_where_its_description_does() {
    let (mut clean, mut leaking) = (0, 0);
    for edition in Edition::all(Architecture::X86_64) {
        for abi in Abi::of(Architecture::X86_64) {
            let made = edition.make(abi, &edition.untuned()).unwrap();
            let code = made.program.bytes(0, 0x10_0000).unwrap();
            let leaks = leaks(&code, &made.record.params, abi);
            if made.record.constant_time {
                let first = leaks.first().map(ToString::to_string);
                assert_eq!(first, None, "{edition}, {}", abi.name);
                clean += 1;
            } else {
                assert!(!leaks.is_empty(), "{edition}, {}: where is the leak?", abi.name);
                leaking += 1;
            }
        }
    }
    println!("{clean} kernels without a leak, {leaking} with leaks that their records tell of");
    assert!(clean > 80 && leaking > 80);
}
