//! What a page calls: numbers in and out, and two buffers of the module for everything else.
//!
//! The page asks for an input of so many bytes and writes it there; a call takes it, and leaves an output, which the page
//! reads before it calls again. Every buffer belongs to the module, so nothing here reads or writes through a pointer of
//! the page.

#![allow(unsafe_code, reason = "exported names are unsafe attributes; there is no unsafe block")]

use crate::refusal::Refusal;
use crate::session::Session;
use std::cell::RefCell;

/// The output is the answer.
const DONE: u32 = 0;
/// The output says why not.
const REFUSED: u32 = 1;

#[derive(Default)]
struct Module {
    session: Option<Session>,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    /// What the last panic said. The module stops with it, so the page asks afterwards.
    static FAULT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for an input of so many bytes, and returns where it is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_input(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.input.clear();
        module.input.resize(length, 0);
        module.input.as_mut_ptr()
    })
}

/// Opens a file: the input is its name of `name` bytes, and its content. One that was open stays so if this is refused.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_open(name: usize) -> u32 {
    keep_faults();
    called(|module, input| {
        let (name, content) = input.split_at_checked(name).unwrap_or((&[], input));
        module.session = Some(Session::open(&String::from_utf8_lossy(name), content)?);
        Ok(Vec::new())
    })
}

/// Answers a request: the input is its JSON ([`crate::Request`]).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_ask() -> u32 {
    called(|module, input| {
        let session = module.session.as_mut().ok_or(Refusal::NothingOpen)?;
        session.ask(&String::from_utf8_lossy(input)).map(String::into_bytes)
    })
}

/// Outputs the bytes of the file as it is now.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_bytes() -> u32 {
    called(|module, _| Ok(module.session.as_ref().ok_or(Refusal::NothingOpen)?.bytes()))
}

/// Returns where the output is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_output() -> *const u8 {
    MODULE.with_borrow(|module| module.output.as_ptr())
}

/// Returns how many bytes the output has.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_output_length() -> usize {
    MODULE.with_borrow(|module| module.output.len())
}

/// Returns where the words of the last panic are. The module is not used any more then.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_fault() -> *const u8 {
    FAULT.with_borrow(|fault| fault.as_ptr())
}

/// Returns how many bytes the words of the last panic have.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxstep_fault_length() -> usize {
    FAULT.with_borrow(String::len)
}

fn called(act: impl FnOnce(&mut Module, &[u8]) -> Result<Vec<u8>, Refusal>) -> u32 {
    MODULE.with_borrow_mut(|module| {
        let input = std::mem::take(&mut module.input);
        let (status, output) = match act(module, &input) {
            Ok(output) => (DONE, output),
            Err(why) => (REFUSED, why.to_string().into_bytes()),
        };
        module.output = output;
        status
    })
}

/// Keeps what a panic says.
fn keep_faults() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| FAULT.set(panic.to_string())));
}
