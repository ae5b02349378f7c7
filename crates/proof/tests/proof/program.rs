//! This program, which has all kernels of the library in it.

use cipherloom::{Backend, libdes};
use proof::image::Image;

/// The bytes of this program.
pub(crate) fn bytes() -> Vec<u8> {
    // What is called here is what the linker must keep.
    for backend in Backend::all() {
        backend.self_test().unwrap();
    }
    let (mut block, schedule) = ([1, 2], [[3, 4]; 16]);
    libdes::encrypt1(&mut block, &schedule, true);
    libdes::encrypt2(&mut block, &schedule, true);
    libdes::encrypt3(&mut block, [&schedule; 3]);
    libdes::decrypt3(&mut block, [&schedule; 3]);
    std::fs::read(std::env::current_exe().unwrap()).unwrap()
}

/// The kernels of this program.
pub(crate) fn image() -> Image {
    Image::parse(&bytes()).unwrap()
}
