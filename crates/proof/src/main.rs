//! `prove FILE`: the kernels of a linked file, one by one.

use proof::image::Image;
use proof::theorems::{Kernel, Lanes};
use std::collections::BTreeSet;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let image = Image::parse(&std::fs::read(&arguments[0]).unwrap()).unwrap();
    let covered: BTreeSet<String> = proof::forms(&image);
    for symbol in image.kernels.keys() {
        if !arguments[1..].iter().all(|part| symbol.contains(part.as_str())) {
            continue;
        }
        let start = std::time::Instant::now();
        let kernel = Kernel { image: &image, symbol, covered: &covered, lanes: Lanes::First };
        match kernel.prove() {
            Ok(proof) => println!(
                "ok {symbol} {:?} {} steps stack {} {:?}",
                start.elapsed(),
                proof.steps,
                proof.stack,
                proof.leaks
            ),
            Err(error) => println!("NO {symbol} {:?} {error}", start.elapsed()),
        }
    }
}
