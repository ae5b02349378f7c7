//! The page, put together: one file that needs no other.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;

/// What it is made of.
struct Parts<'a> {
    /// HTML with places for all else: `{{policy}}`, `{{style}}`, `{{script}}`, `{{worker}}`, `{{wasm}}`.
    page: &'a str,
    /// CSS.
    style: &'a str,
    /// What runs in the page.
    script: &'a str,
    /// What runs in the worker.
    worker: &'a str,
    /// The library.
    wasm: &'a [u8],
}

/// Where the WebAssembly stands in the page.
const WASM: [&str; 2] = ["<script type=\"text/plain\" id=\"wasm\">", "</script>"];

/// The page, of the files in its folder.
///
/// # Errors
/// A file cannot be read; the error says which.
pub fn from_folder(folder: &Path, wasm: &[u8]) -> io::Result<String> {
    let read = |name: &str| {
        let named = |error| io::Error::other(format!("{name}: {error}"));
        std::fs::read_to_string(folder.join(name)).map_err(named)
    };
    Ok(put_together(&Parts {
        page: &read("page.html")?,
        style: &read("style.css")?,
        script: &(read("shown.js")? + &read("page.js")?),
        worker: &(read("wasm.js")? + &read("worker.js")?),
        wasm,
    }))
}

/// Puts it together. Its policy allows the style and the script that are in it by their hashes, a worker made of
/// its own text, and no connection.
fn put_together(parts: &Parts<'_>) -> String {
    let hash = |text: &str| {
        let hash = Digest::Sha256.hash(&[text.as_bytes()]);
        format!("'sha256-{}'", base64(&hash))
    };
    let policy = format!(
        "default-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'; worker-src blob:; \
         style-src {}; script-src {} 'wasm-unsafe-eval'",
        hash(parts.style),
        hash(parts.script),
    );
    let mut lines = String::new();
    for line in base64(parts.wasm).as_bytes().chunks(120) {
        let _ = writeln!(lines, "{}", String::from_utf8_lossy(line));
    }
    let mut page = parts.page.to_owned();
    for (place, text) in [
        ("{{policy}}", &*policy),
        ("{{style}}", parts.style),
        ("{{script}}", parts.script),
        ("{{worker}}", parts.worker),
        ("{{wasm}}", &lines),
    ] {
        page = page.replacen(place, text, 1);
    }
    page
}

/// The WebAssembly of a page.
#[must_use]
pub fn wasm_of(page: &str) -> Option<Vec<u8>> {
    let (_, rest) = page.split_once(WASM[0])?;
    let (text, _) = rest.split_once(WASM[1])?;
    let mut wasm = Vec::new();
    Encoding::Base64.decode(text.as_bytes(), &mut wasm).ok()?;
    Some(wasm)
}

fn base64(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    // Only text in UTF-8 can be refused, and this is none.
    let _ = Encoding::Base64.encode(bytes, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
