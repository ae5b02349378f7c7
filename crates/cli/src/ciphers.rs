//! What is said of names that are no cipher here.

use cipherloom_formats::Cipher;

/// Names that OpenSSL knows, and why they are not served.
const DECLINED: [(&str, &str); 3] = [
    ("des3-wrap", "it wraps keys for CMS (RFC 3217) and is no cipher for files"),
    ("id-smime-alg-cms3deswrap", "it wraps keys for CMS (RFC 3217) and is no cipher for files"),
    ("rc4-hmac-md5", "it belongs to TLS, and `openssl enc` refuses it too"),
];

/// One line on a name that is no cipher here: why not, or which names are near.
pub(crate) fn explain_unknown(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    if let Some((_, why)) = DECLINED.iter().find(|(declined, _)| *declined == lower) {
        return format!("cipher {name} is not supported: {why}");
    }
    let near = nearest(&lower, Cipher::names());
    format!("unknown cipher {name}; the nearest names are {}", near.join(", "))
}

/// The three candidates most like `name`, best first.
pub(crate) fn nearest(name: &str, candidates: Vec<String>) -> Vec<String> {
    let mut ranked: Vec<(f64, String)> = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, &candidate), candidate))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_leads_to_the_name() {
        assert!(explain_unknown("des-ede3-cbx").contains("des-ede3-cbc"));
        assert!(explain_unknown("des4").contains("des3"));
        assert!(explain_unknown("des3-wrap").contains("RFC 3217"));
    }
}
