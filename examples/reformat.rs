//! A small real program, heavy on copies: reads JSON from standard input, and writes it indented, `n` times over.
//!
//! ```text
//! cargo run --release --example reformat 10 <in.json >out.json
//! ```
//!
//! It uses nothing of fast_mem by name. With the feature `symbols` the next line puts all of it, std included, on it.

use fast_mem as _;
use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let times = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    let (mut request, mut out) = (Vec::new(), Vec::new());
    for _ in 0..times {
        // Buffers that are kept, as a server does from request to request.
        request.clear();
        request.extend_from_slice(&text);
        out.clear();
        reformat(&request, &mut out);
    }
    std::io::stdout().write_all(&out)
}

/// A line for every value.
fn reformat(text: &[u8], out: &mut Vec<u8>) {
    let (mut depth, mut rest) = (0usize, text);
    while let Some(&byte) = rest.first() {
        let token = token(rest);
        match byte {
            b'{' | b'[' => {
                depth += 1;
                out.push(byte);
                indent(out, depth);
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                indent(out, depth);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                indent(out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => out.extend_from_slice(token),
        }
        rest = &rest[token.len()..];
    }
}

/// The string, number, word or single character at the start.
fn token(text: &[u8]) -> &[u8] {
    let end = match text[0] {
        b'"' => {
            let mut escaped = true;
            let closes = |&byte: &u8| {
                let quote = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                quote
            };
            text.iter().position(closes).map_or(text.len(), |last| last + 1)
        }
        byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
            let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            text.iter().position(|byte| !inside(byte)).unwrap_or(text.len())
        }
        _ => 1,
    };
    &text[..end]
}

/// A new line, two spaces a level in.
fn indent(out: &mut Vec<u8>, depth: usize) {
    out.push(b'\n');
    out.resize(out.len() + 2 * depth, b' ');
}
