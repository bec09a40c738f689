//! Prints the Python 3 text of Python 2 sources: `python2 FILE…`, or standard input; with `--frames` each answer
//! and each request is a decimal byte count, a line end and that many bytes of UTF-8, until the input ends.

use std::io::{BufRead, BufReader, Read, Write};

use boxstep_script::rewrite::python2;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    if args.iter().any(|arg| arg == "--frames") {
        return frames(&mut out);
    }
    if args.is_empty() {
        let mut source = String::new();
        std::io::stdin().read_to_string(&mut source)?;
        out.write_all(python2(&source).text.as_bytes())?;
    }
    for file in args {
        out.write_all(python2(&std::fs::read_to_string(file)?).text.as_bytes())?;
    }
    Ok(())
}

fn frames(out: &mut impl Write) -> std::io::Result<()> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let length: u64 = line.trim().parse().map_err(std::io::Error::other)?;
        let mut source = String::new();
        input.by_ref().take(length).read_to_string(&mut source)?;
        let text = python2(&source).text;
        write!(out, "{}\n{text}", text.len())?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}
