use super::*;

#[test]
fn spread_is_the_expansion() {
    let bytes = |h: u32| (0..4).fold(0, |v, i| v | u64::from(h >> (8 * i) as u8 & 255) << (16 * i));
    for bit in 0..32 {
        assert_eq!(spread(bytes(1 << bit)), expand(1 << bit), "bit {bit}");
        assert_eq!(gather(expand(1 << bit)), bytes(1 << bit), "bit {bit}");
    }
}
