use super::*;

#[test]
fn spread_is_the_expansion() {
    let bytes = |h: u32| (0..4).fold(0, |v, i| v | u64::from(h >> (8 * i) as u8 & 255) << (16 * i));
    for bit in 0..32 {
        assert_eq!(spread(bytes(1 << bit)), expand(1 << bit), "bit {bit}");
        assert_eq!(gather(expand(1 << bit)), bytes(1 << bit), "bit {bit}");
    }
}

#[test]
fn the_transpose_is_ip() {
    for block in (0..64).map(|bit| 1u64 << bit) {
        let permuted = fips::IP.iter().fold(0u64, |v, n| v << 1 | (block >> (64 - n) & 1));
        let halves = Halves::from_block(block);
        assert_eq!(halves.l, expand((permuted >> 32) as u32), "L of {block:#x}");
        assert_eq!(halves.r, expand(permuted as u32), "R of {block:#x}");
        assert_eq!(halves.to_block(), block);
    }
}
