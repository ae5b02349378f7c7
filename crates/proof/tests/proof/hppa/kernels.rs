//! Every kernel that loom makes for PA-RISC is proved.

use crate::emitted::are_proved;
use proof::machine::Isa;

#[test]
fn rare_every_kernel_is_proved() {
    for (image, convention) in super::images().iter().zip(["hppa", "hppa", "hppa64"]) {
        assert_eq!((image.isa, image.convention.name), (Isa::Hppa, convention));
        are_proved(image, 102);
    }
}
