//! Prints what `rewrite::python3` makes of a file.
fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        print!("{}", boxstep_script::rewrite::python3(&std::fs::read_to_string(file)?).text);
    }
    Ok(())
}
