//! The bodies of the fuzz targets on a few inputs each, whole and cut everywhere.

use cipherloom_cli::fuzz;
use cipherloom_testkit::rng::Rng;

#[test]
fn parsers_take_anything() {
    let seeds: [&[u8]; 8] = [
        b"Salted__12345678rest",
        b"00fFa5",
        b"0x00ffA5",
        b"U2FsdGVkX18xMjM0NTY3OA==\n",
        b"AP+l\nAA==",
        br#"{"d":"00","k":"\u00e4","n":1.50}"#,
        br#"{"d":1,"r":2,"e":{"x":[null]}}"#,
        b"",
    ];
    let mut rng = Rng::new(11);
    for seed in seeds {
        for _ in 0..2000 {
            let mut input = seed[..rng.number(0..=seed.len())].to_vec();
            for _ in 0..rng.number(0..=2) {
                let place = rng.number(0..=input.len());
                input.insert(place, rng.array::<1>()[0]);
            }
            fuzz::salted_header(&input);
            fuzz::hex(&input);
            fuzz::base64(&input);
            fuzz::records(&input);
        }
    }
}
