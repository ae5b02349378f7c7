//! .NET's old classes, in Mono.

use std::process::Command;

use cipherloom_testkit::peers::left_out;

use crate::drive::{Folder, Kind, WAY, Way, ask, compare, run, script};

#[test]
fn rare_mono() {
    if left_out("mono") {
        return;
    }
    let folder = Folder::new("mono");
    let program = folder.0.join("classes.exe");
    let mut compiler = Command::new("mcs");
    run(compiler.arg(format!("-out:{}", program.display())).arg(script("Classes.cs")), b"");
    let way = |preset, cipher, what| Way { preset, cipher, what, ..WAY };
    let derived = |cipher, what| Way { salt: 8, ..way("dotnet-password", cipher, what) };
    let shop = |preset| Way { secret: Kind::Letters(&[24]), ..way(preset, "", preset) };
    let ways = [
        way("dotnet-md5", "des-ede-ecb", "md5/ecb"),
        way("dotnet-md5", "des-ede-cbc", "md5/cbc"),
        derived("des-ede3-cbc", "password/3"),
        derived("des-ede-cbc", "password/2"),
        derived("des-cbc", "password/des"),
        shop("nopcommerce"),
        shop("grandnode"),
    ];
    compare(&ways, |questions| ask(Command::new("mono").arg(&program), questions));

    let program = folder.0.join("membership.exe");
    let mut compiler = Command::new("mcs");
    compiler.args(["-r:System.Web.dll", "-r:System.Configuration.dll"]);
    run(compiler.arg(format!("-out:{}", program.display())).arg(script("Membership.cs")), b"");
    let member = |cipher, what, secret| Way {
        salt: 24,
        secret,
        ..way("aspnet-membership-mono", cipher, what)
    };
    let ways = [
        member("des-ede3-cbc", "3DES", Kind::Key(&[24])),
        member("des-cbc", "DES", Kind::Key(&[8])),
    ];
    compare(&ways, |questions| ask(Command::new("mono").arg(&program), questions));
}
