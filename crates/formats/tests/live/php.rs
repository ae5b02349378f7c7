//! PHP's mcrypt, the extension of PECL with libmcrypt.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Kind, WAY, Way, ask, compare, script};

/// Keys of any length up to the cipher's, and IVs likewise: zeros fill up.
const TDES: Kind<'_> = Kind::Key(&[1, 8, 16, 23, 24]);
const DES: Kind<'_> = Kind::Key(&[1, 5, 8]);
const BLOCK: &[usize] = &[8];

#[test]
fn rare_php_mcrypt() {
    if left_out("php") {
        return;
    }
    let tdes = |cipher, what, iv| Way {
        preset: "php-mcrypt",
        cipher,
        what,
        secret: TDES,
        iv,
        empty: false,
        ..WAY
    };
    let des = |cipher, what, iv| Way {
        preset: "php-mcrypt-des",
        cipher,
        what,
        secret: DES,
        iv,
        empty: false,
        ..WAY
    };
    let ways = [
        tdes("des-ede3-cbc", "tripledes/cbc", BLOCK),
        tdes("des-ede3-ecb", "tripledes/ecb", &[0]),
        tdes("des-ede3-cfb8", "tripledes/cfb", BLOCK),
        tdes("des-ede3-cfb", "tripledes/ncfb", BLOCK),
        tdes("des-ede3-ofb", "tripledes/nofb", BLOCK),
        des("des-cbc", "des/cbc", BLOCK),
        des("des-ecb", "des/ecb", &[0]),
        des("des-cfb8", "des/cfb", BLOCK),
        des("des-cfb", "des/ncfb", BLOCK),
        des("des-ofb", "des/nofb", BLOCK),
    ];
    let arcfour =
        Way { what: "arcfour/stream", secret: Kind::Key(&[1, 16, 40, 256]), empty: false, ..WAY };
    let ways = ways.into_iter().chain([Way { preset: "php-mcrypt-rc4", ..arcfour }]);
    let ways: Vec<_> = ways.collect();
    compare(&ways, |questions| ask(Command::new("php").arg(script("mcrypt.php")), questions));
}
