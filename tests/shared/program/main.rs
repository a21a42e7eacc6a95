//! Sets memory from two files, each by the routines of a third.

fn main() {
    for n in [0, 1, 40, 100, 5000] {
        let mut buf = vec![1; n];
        outer::set(&mut buf, 2);
        assert!(buf.iter().all(|&byte| byte == 2), "{n} bytes by the library");
        inner::fast_mem::set(&mut buf[..], 3);
        assert!(buf.iter().all(|&byte| byte == 3), "{n} bytes by the program");
    }
    println!("{}", inner::fast_mem::selection().set.variant.name());
}
