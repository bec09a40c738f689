//! `fixtures/messages.txt`: messages of our own, written byte by byte from the description of the format.

use boxstep_qi::{HEADER, ObjectLayout, Signature, decode, encode, read_message};

#[test]
fn messages_written_by_hand_are_read_and_written() {
    let mut met = 0;
    for block in include_str!("fixtures/messages.txt").split("\n== ").skip(1) {
        let mut lines = block.lines().filter(|line| !line.trim().is_empty());
        let name = lines.next().unwrap();
        let signature = Signature::parse(lines.next().unwrap().trim()).unwrap();
        let meant = lines.next().unwrap().trim();
        // Bytes up to a `;`, which a comment may follow.
        let digits: String = lines.map(|line| line.split(';').next().unwrap()).collect::<String>().replace(' ', "");
        let bytes: Vec<u8> =
            (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap()).collect();
        let message = read_message(&mut &bytes[..], 1 << 16).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(message.header.encode(), bytes[..HEADER], "{name}");
        let layout = ObjectLayout::default();
        let value = decode(&message.payload, &signature, &layout).unwrap_or_else(|e| panic!("{name}: {e}"));
        let shown = format!("{:?} {} {value:?}", message.header.kind, message.header.address);
        assert_eq!(shown, meant, "{name}");
        let mut out = Vec::new();
        encode(&value, &signature, &layout, &mut out).unwrap();
        assert_eq!(out, message.payload, "{name}");
        met += 1;
    }
    assert_eq!(met, 6);
}
