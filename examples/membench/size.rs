//! Lengths as people write them: `64`, `4K`, `1.5M`, `8MiB`.

use core::fmt;
use core::str::FromStr;

/// A number of bytes; units are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) usize);

const UNITS: [(&str, usize); 3] = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no size: expected bytes such as 64, 4K, 1.5M or 8MiB");
        let upper = text.trim().to_ascii_uppercase();
        let number = upper.strip_suffix("IB").or_else(|| upper.strip_suffix('B')).unwrap_or(&upper);
        let unit = UNITS.iter().find_map(|&(unit, factor)| Some((number.strip_suffix(unit)?, factor)));
        let (number, factor) = unit.unwrap_or((number, 1));
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        let bytes = number * factor as f64;
        // At most 2^40: what does not fit a measurement does not fit an index either.
        if !(0.0..=1e12).contains(&bytes) || bytes.fract() != 0.0 {
            return Err(wrong());
        }
        Ok(Self(bytes as usize))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = |&&(_, factor): &&(&str, usize)| self.0 >= factor && self.0 % (factor / 4) == 0;
        match UNITS.iter().find(exact) {
            Some((unit, factor)) => f.pad(&format!("{}{unit}", self.0 as f64 / *factor as f64)),
            None => f.pad(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for (text, n) in [("64", 64), ("4K", 4096), ("1.5M", 3 << 19), ("1023", 1023), ("1G", 1 << 30)] {
            assert_eq!(text.parse(), Ok(Bytes(n)));
            assert_eq!(Bytes(n).to_string(), text);
        }
        assert_eq!("8MiB".parse(), Ok(Bytes(8 << 20)));
        assert_eq!("8 kb".parse(), Ok(Bytes(8 << 10)));
    }

    #[test]
    fn refuses_what_is_no_size() {
        for text in ["", "K", "-1", "0.3", "1e30", "4Q", "nan"] {
            let message = text.parse::<Bytes>().unwrap_err();
            assert!(message.contains(&format!("`{text}`")) && message.contains("4K"), "{message}");
        }
    }
}
