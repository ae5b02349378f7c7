//! `cipherloom-page FOLDER WASM OUT`: puts the page together, for `cargo xtask web`.

use std::path::Path;
use std::process::ExitCode;

use cipherloom_web::page;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, wasm, out] = &args[..] else {
        eprintln!("cipherloom-page FOLDER WASM OUT");
        return ExitCode::from(2);
    };
    let made = std::fs::read(wasm)
        .and_then(|wasm| page::from_folder(Path::new(folder), &wasm))
        .and_then(|page| std::fs::write(out, page));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cipherloom-page: {error}");
            ExitCode::from(1)
        }
    }
}
