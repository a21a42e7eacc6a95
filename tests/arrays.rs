//! What a length in the type changes: nothing but the code. Arrays on both sides of the longest that the compiler unrolls, one
//! array and one slice, and other types that give a slice.

/// A short buffer whose slice is shorter than its type.
struct Inline {
    used: u8,
    bytes: [u8; 31],
}

impl Inline {
    const fn new(used: u8) -> Self {
        Self { used, bytes: [1; 31] }
    }

    /// What is used is `byte`, and the rest as it was.
    fn expect(&self, byte: u8) {
        let used = usize::from(self.used);
        assert!(self.bytes.iter().enumerate().all(|(i, &found)| found == if i < used { byte } else { 1 }), "{used}");
    }
}

impl AsMut<[u8]> for Inline {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..usize::from(self.used)]
    }
}

impl AsRef<[u8]> for Inline {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.used)]
    }
}

/// An array between two bytes that must stay.
#[repr(C)]
struct Framed<const N: usize> {
    before: u8,
    array: [u8; N],
    after: u8,
}

impl<const N: usize> Framed<N> {
    const fn new(byte: u8) -> Self {
        Self { before: 90, array: [byte; N], after: 91 }
    }

    fn expect(&self, array: &[u8]) {
        assert_eq!((self.before, &self.array[..], self.after), (90, array, 91), "array of {N}");
    }
}

fn with<const N: usize>() {
    let source: [u8; N] = core::array::from_fn(|i| i as u8 | 1);
    let mut framed = Framed::<N>::new(1);
    framed.expect(&[1; N]);
    fast_mem::set(&mut framed.array, 0xa5);
    framed.expect(&[0xa5; N]);
    fast_mem::zero(&mut framed.array);
    framed.expect(&[0; N]);
    fast_mem::copy(&mut framed.array, &source);
    framed.expect(&source);
    fast_mem::copy(&mut framed.array, &[7; N][..]);
    framed.expect(&[7; N]);
    fast_mem::copy(&mut framed.array[..], &source);
    framed.expect(&source);
}

#[test]
fn of_every_class_of_length() {
    with::<0>();
    with::<1>();
    with::<3>();
    with::<16>();
    with::<24>();
    with::<32>();
    with::<33>();
    with::<64>();
    with::<65>();
    with::<127>();
    with::<128>();
    with::<129>();
    with::<5000>();
}

#[test]
fn whatever_gives_a_slice() {
    let mut vec = vec![0; 24];
    fast_mem::set(&mut vec, 3);
    assert_eq!(vec, [3; 24]);
    let mut boxed: Box<[u8]> = vec.into();
    fast_mem::copy(&mut boxed, "as many bytes as we need");
    assert_eq!(*boxed, *b"as many bytes as we need");
    let set: fn(&mut [u8], u8) = fast_mem::set;
    set(&mut boxed, 9);
    assert_eq!(*boxed, [9; 24]);
}

/// Its slice decides, not its size.
#[test]
fn a_slice_shorter_than_its_type() {
    for used in [0, 10, 31] {
        let mut buffer = Inline::new(used);
        fast_mem::set(&mut buffer, 5);
        buffer.expect(5);
        let mut copied = vec![0; used.into()];
        fast_mem::copy(&mut copied, &buffer);
        assert_eq!(copied, vec![5; used.into()]);
        fast_mem::copy(&mut buffer, &vec![6; used.into()]);
        buffer.expect(6);
    }
}

/// As with slices, both stay as they were.
#[test]
fn lengths_that_differ() {
    let mut to = [1; 16];
    let outcome = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| fast_mem::copy(&mut to, &[2; 15])));
    let message = outcome.unwrap_err().downcast::<String>().expect("a formatted message");
    assert!(message.contains("16") && message.contains("15"), "{message}");
    assert_eq!(to, [1; 16]);
}
