//! A peer that sends exactly the bytes that a test chooses.

use boxstep_qi::{
    Address, Capabilities, FrameError, Header, Kind, Message, ObjectLayout, Signature, Value, decode, encode,
    read_message,
};
use std::io::Write;
use std::net::TcpStream;

pub(crate) struct Raw {
    pub(crate) stream: TcpStream,
}

pub(crate) fn at(service: u32, object: u32, action: u32) -> Address {
    Address { service, object, action }
}

pub(crate) fn bytes(value: &Value, signature: &str) -> Vec<u8> {
    let mut out = Vec::new();
    encode(value, &Signature::parse(signature).unwrap(), &ObjectLayout::default(), &mut out).unwrap();
    out
}

pub(crate) fn read(message: &Message, signature: &str) -> Value {
    decode(&message.payload, &Signature::parse(signature).unwrap(), &ObjectLayout::default()).unwrap()
}

impl Raw {
    pub(crate) fn connect(address: impl std::net::ToSocketAddrs) -> Raw {
        Raw::of(TcpStream::connect(address).unwrap())
    }

    pub(crate) fn of(stream: TcpStream) -> Raw {
        stream.set_nodelay(true).unwrap();
        Raw { stream }
    }

    pub(crate) fn send(&mut self, id: u32, kind: Kind, address: Address, payload: &[u8]) {
        let size = u32::try_from(payload.len()).unwrap();
        let header = Header { id, size, version: 0, kind, flags: 0, address };
        self.stream.write_all(&[&header.encode(), payload].concat()).unwrap();
    }

    pub(crate) fn next(&mut self) -> Result<Message, FrameError> {
        read_message(&mut self.stream, 1 << 24)
    }

    /// Returns the next message, which must be of this kind.
    pub(crate) fn expect(&mut self, kind: Kind) -> Message {
        let message = self.next().unwrap();
        assert_eq!(message.header.kind, kind, "{message:?} {}", String::from_utf8_lossy(&message.payload));
        message
    }

    /// Returns whether the peer has closed; discards what it sends before.
    pub(crate) fn is_closed(&mut self) -> bool {
        loop {
            match self.next() {
                Ok(_) => {}
                Err(FrameError::Ended { .. }) => return true,
                Err(e) => panic!("{e}"),
            }
        }
    }

    pub(crate) fn authenticate(&mut self, capabilities: &Capabilities) -> Message {
        self.send(1, Kind::Call, at(0, 0, 8), &capabilities.encode().unwrap());
        self.next().unwrap()
    }

    pub(crate) fn call(&mut self, id: u32, address: Address, payload: &[u8]) -> Message {
        self.send(id, Kind::Call, address, payload);
        let message = self.next().unwrap();
        assert_eq!((message.header.id, message.header.address), (id, address));
        message
    }
}
