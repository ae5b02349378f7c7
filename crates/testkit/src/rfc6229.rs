//! RFC 6229: keystreams of RC4.

use serde_json::Value;

/// The keystream of one key at some places.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The key, 5 to 32 bytes.
    pub key: Vec<u8>,
    /// Offset in bytes, and the 16 bytes of keystream that begin there; offsets ascend.
    pub keystream: Vec<(usize, [u8; 16])>,
}

/// All vectors of section 2 of the RFC.
///
/// # Panics
/// If the file is missing or has another form.
pub fn read() -> Vec<Vector> {
    parse(&crate::vector_text("rc4/rfc6229.json"))
        .unwrap_or_else(|wrong| panic!("vectors/rc4/rfc6229.json: {wrong}"))
}

fn parse(text: &str) -> Result<Vec<Vector>, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let vectors = json["vectors"].as_array().ok_or("no list `vectors`")?;
    vectors.iter().map(vector).collect()
}

fn vector(json: &Value) -> Result<Vector, String> {
    let key = json["key"].as_str().ok_or("a vector without `key`")?;
    let places = json["keystream"].as_object().ok_or("a vector without `keystream`")?;
    let mut keystream = Vec::new();
    for (offset, bytes) in places {
        let mut place = [0; 16];
        let digits = bytes.as_str().ok_or("keystream bytes that are no string")?;
        hex::decode_to_slice(digits, &mut place).map_err(|error| format!("{digits}: {error}"))?;
        let offset = offset.parse().map_err(|error| format!("offset {offset}: {error}"))?;
        keystream.push((offset, place));
    }
    keystream.sort_unstable();
    Ok(Vector { key: hex::decode(key).map_err(|error| format!("{key}: {error}"))?, keystream })
}
