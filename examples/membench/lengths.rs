//! Which lengths and which relative offsets are worth a cell.

/// 1 to 64, steps to 512, powers of two and three-quarter points to 1 GiB, and one below and one above
/// each power of two to 8 KiB. The short list keeps the edges of the usual classes.
pub(crate) fn fixed_sizes(thorough: bool) -> Vec<usize> {
    let mut sizes: Vec<usize> = if thorough {
        let steps = (72..512).step_by(8);
        let powers = (9..=30).map(|p| 1usize << p);
        (1..=64)
            .chain(steps)
            .chain(powers.clone())
            .chain(powers.clone().map(|n| n / 4 * 3))
            .chain(powers.take_while(|&n| n <= 8192).flat_map(|n| [n - 1, n + 1]))
            .chain([127, 129, 255, 257])
            .collect()
    } else {
        let small = [1, 2, 3, 4, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 33, 40, 48, 63, 64, 65, 80, 96, 127, 128];
        let middle = [129, 160, 192, 255, 256, 264, 384, 511, 512, 768, 1024, 1536, 2049, 3072, 4096, 8192];
        let large = (14..=30).step_by(2).map(|p| 1usize << p);
        small.into_iter().chain(middle).chain(large).collect()
    };
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Relative offsets: each of 0..=64, steps of 64 from there on, and the last ones below 4096; or a few.
pub(crate) fn relative_offsets(thorough: bool) -> Vec<usize> {
    let near = [0, 1, 2, 4, 8, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64];
    let far = [2048, 4032, 4064, 4080, 4095];
    if thorough {
        (0..=64).chain((128..4096).step_by(64)).chain([4064, 4080, 4088, 4095]).collect()
    } else {
        near.into_iter().chain(far).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_length_and_every_edge_is_there() {
        let sizes = fixed_sizes(true);
        let missing = |n: &usize| !sizes.contains(n);
        let edges = (9..=13).flat_map(|p| [(1 << p) - 1, 1 << p, (1 << p) + 1, 3 << (p - 1)]);
        assert_eq!((1..=64).chain(edges).chain([256 << 20]).find(missing), None);
        assert!(sizes.is_sorted() && fixed_sizes(false).iter().all(|n| *n <= 1 << 30));
    }

    #[test]
    fn every_offset_below_a_line_is_there() {
        let offsets = relative_offsets(true);
        assert_eq!((0..=64).find(|d| !offsets.contains(d)), None);
        assert!(offsets.is_sorted() && offsets.last() == Some(&4095));
    }
}
