//! The types of services for editors, `python/boxstep/services.pyi`, are those of the table: `BOXSTEP_BLESS=1` writes
//! them.

use crate::common::root;
use boxstep_services::{
    Base, CAMERA_METHODS, COMMON_METHODS, EXTRACTOR_METHODS, Method, Overload, Service, object_kinds, object_of,
    services,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

const HEAD: &str = r#""""What services offer, for editors: `ALProxy("ALMotion", ip, port)` and `session.service("ALMotion")` return an
`ALMotion`. Programs cannot import this module.

The types are those of a robot with NAOqi 2.5. Any other name is a method, too: robots differ.
"""
# Generated from the table of services.
from typing import Any, Literal, overload

from boxstep import client

class Session(client.Session):
"#;

/// The type in Python of a type of the protocol.
fn python_type(signature: &str, is_argument: bool) -> String {
    let inner = |from: usize| python_type(&signature[from..signature.len() - 1], is_argument);
    match signature.as_bytes().first() {
        Some(b'b') => "bool",
        Some(b'c' | b'C' | b'w' | b'W' | b'i' | b'I' | b'l' | b'L') => "int",
        Some(b'f' | b'd') => "float",
        Some(b's') => "str",
        Some(b'v') => "None",
        Some(b'r') => "bytearray",
        Some(b'[') if is_argument => return format!("Sequence[{}]", inner(1)),
        Some(b'[') => return format!("list[{}]", inner(1)),
        _ => "Any",
    }
    .to_owned()
}

fn method(service: &str, overload: &Overload, method: &Method, is_one_of_many: bool) -> String {
    let mut text = String::new();
    if is_one_of_many {
        text += "    @overload\n";
    }
    let arguments: Vec<String> = overload
        .arguments()
        .iter()
        .enumerate()
        .map(|(at, signature)| format!(", _{}: {}", at + 1, python_type(signature, true)))
        .collect();
    let slash = if arguments.is_empty() { "" } else { ", /" };
    let any = if overload.parameters == "m" { ", *args: Any".to_owned() } else { arguments.concat() + slash };
    let object = object_of(service, method.name).map(|object| object.name.to_owned());
    let answer = object.unwrap_or_else(|| python_type(overload.returns, false));
    let _ = writeln!(text, "    def {}(self{any}) -> {answer}:", method.name);
    let _ = writeln!(text, "        \"\"\"{}.\"\"\"", method.doc.trim_end_matches('.').replace('\\', "\\\\"));
    text
}

fn methods(service: &str, all: &[Method]) -> String {
    let mut text = String::new();
    for each in all.iter().filter(|each| !PYTHON.contains(&each.name)) {
        // Overloads that are the same in Python are one.
        let mut overloads: BTreeMap<(usize, Vec<String>), Overload> = BTreeMap::new();
        for overload in each.overloads() {
            let types: Vec<String> =
                overload.arguments().iter().map(|signature| python_type(signature, true)).collect();
            // What takes anything comes last: an editor takes the first one that fits.
            let loose =
                if overload.parameters == "m" { 100 } else { types.iter().filter(|each| *each == "Any").count() };
            overloads.entry((loose, types)).or_insert(overload);
        }
        let many = overloads.len() > 1;
        overloads.values().for_each(|overload| text += &method(service, overload, each, many));
    }
    text
}

fn class(service: &Service) -> String {
    let base = match service.base {
        Base::Module => "ALProxy",
        Base::Extractor => "Extractor",
        Base::Camera => "CameraExtractor",
        Base::Object => "client.Service",
    };
    let doc = service.doc.trim_end_matches('.');
    let mut text = format!("\nclass {}({base}):\n    \"\"\"{doc}.\"\"\"\n", service.name);
    text += &methods(service.name, service.methods);
    let members = service.properties.iter().map(|property| property.name);
    for name in service.signals.iter().map(|signal| signal.name).chain(members) {
        let _ = writeln!(text, "    {name}: Any");
    }
    text
}

/// Words of Python.
const PYTHON: [&str; 3] = ["async", "print", "exec"];

fn stub() -> String {
    let names: Vec<&str> = services().map(|service| service.name).collect();
    let mut text = HEAD.replace("Any, Literal, overload", "Any, Literal, Sequence, overload");
    for name in &names {
        let _ = writeln!(text, "    @overload");
        let _ = writeln!(text, "    def service(self, name: Literal[\"{name}\"]) -> {name}: ...");
    }
    text += "    @overload\n    def service(self, name: str, *_: Any, _async: bool = False) -> Any: ...\n";
    text += "\nclass ALProxy(client.Service):\n    post: Any\n";
    for name in &names {
        let _ = writeln!(text, "    @overload");
        let _ = writeln!(
            text,
            "    def __new__(cls, name: Literal[\"{name}\"], ip: str = ..., port: int = ...) -> {name}: ..."
        );
    }
    text += "    @overload\n    def __new__(cls, name: str, ip: Any = ..., port: int = ...) -> ALProxy: ...\n";
    text += "    def __getattr__(self, name: str) -> Any: ...\n";
    text += &methods("", COMMON_METHODS);
    text += "\nclass Extractor(ALProxy):\n    \"\"\"A service that senses while it has subscribers.\"\"\"\n";
    text += &methods("", EXTRACTOR_METHODS);
    text += "\nclass CameraExtractor(Extractor):\n    \"\"\"A service that looks through a camera while it has subscribers.\"\"\"\n";
    text += &methods("", CAMERA_METHODS);
    services().chain(object_kinds()).for_each(|service| text += &class(service));
    text
}

#[test]
fn the_types_of_services_are_those_of_the_table() {
    let file = root().join("python/boxstep/services.pyi");
    let wanted = stub();
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    assert!(
        fs::read_to_string(&file).is_ok_and(|found| found == wanted),
        "{} is old: BOXSTEP_BLESS=1 writes it",
        file.display()
    );
}
