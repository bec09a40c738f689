//! ALAudioPlayer, with generated sound files.

use crate::harness::{Harness, near, s};
use boxstep_services::SimOptions;
use boxstep_types::Value;
use std::path::PathBuf;

/// Makes a folder with half a second of silence at 8 kHz, 8 bit, mono.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("boxstep-robot-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let samples = vec![128_u8; 4000];
    let mut wav = Vec::new();
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + samples.len() as u32).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&8000_u32.to_le_bytes());
    wav.extend_from_slice(&8000_u32.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&8_u16.to_le_bytes());
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&(samples.len() as u32).to_le_bytes());
    wav.extend_from_slice(&samples);
    std::fs::write(folder.join("beep.wav"), wav).unwrap();
    // MPEG 1 layer III, 128 kbit/s, 44.1 kHz: frames of 417 bytes and 1152 samples.
    let mut frame = vec![0_u8; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x00]);
    std::fs::write(folder.join("long.mp3"), frame.repeat(100)).unwrap();
    std::fs::write(folder.join("three.ogg"), ogg()).unwrap();
    std::fs::write(folder.join("broken.ogg"), b"not a sound").unwrap();
    folder
}

/// Returns an Ogg page of one packet; only the length is read, so nothing verifies the checksum.
fn page(kind: u8, granule: u64, number: u32, packet: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(kind);
    page.extend_from_slice(&granule.to_le_bytes());
    page.extend_from_slice(&7_u32.to_le_bytes());
    page.extend_from_slice(&number.to_le_bytes());
    page.extend_from_slice(&[0; 4]);
    page.extend_from_slice(&[1, packet.len() as u8]);
    page.extend_from_slice(packet);
    page
}

/// Returns three seconds of silence as Ogg Vorbis at 8 kHz: headers, and a last page with the end position.
fn ogg() -> Vec<u8> {
    let mut head = b"\x01vorbis\0\0\0\0\x01".to_vec();
    head.extend_from_slice(&8000_u32.to_le_bytes());
    head.extend_from_slice(&[0; 12]);
    head.extend_from_slice(&[0xb8, 1]);
    let comment = b"\x03vorbis\0\0\0\0\0\0\0\0\x01";
    [page(2, 0, 0, &head), page(0, 0, 1, comment), page(0, 0, 2, b"\x05vorbis"), page(4, 24_000, 3, &[0; 20])].concat()
}

#[test]
fn sounds_last_as_long_as_their_files() {
    let folder = folder("length");
    let mut h = Harness::nao();
    let path = s(&folder.join("beep.wav").to_string_lossy());
    near(h.takes("ALAudioPlayer.playFile", &[path.clone()]), 0.5);
    near(h.takes("ALAudioPlayer.playFileFromPosition", &[path.clone(), 0.2.into(), 1.0.into(), 0.0.into()]), 0.3);
    let mp3 = h.takes("ALAudioPlayer.playFile", &[s(&folder.join("long.mp3").to_string_lossy())]);
    assert!((mp3 - 100.0 * 1152.0 / 44100.0).abs() < 0.05, "{mp3}");
    near(h.takes("ALAudioPlayer.playFile", &[s(&folder.join("three.ogg").to_string_lossy())]), 3.0);
    let id = h.get("ALAudioPlayer.loadFile", &[path.clone()]);
    near(h.get("ALAudioPlayer.getFileLength", &[id.clone()]).as_f64().unwrap(), 0.5);
    near(h.takes("ALAudioPlayer.play", &[id]), 0.5);
    let looped = h.post("ALAudioPlayer.playFileInLoop", &[path, 0.5.into(), 0.0.into()]);
    h.wait(10.1);
    assert!(!h.done(looped));
    near(h.get("ALAudioPlayer.getCurrentPosition", &[Value::Int(looped.0.into())]).as_f64().unwrap(), 0.1);
    h.get("ALAudioPlayer.stopAll", &[]);
    assert!(h.done(looped));
    assert_eq!(h.texts("sound")[0], "beep.wav, 0.5 s");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn sounds_pause_and_resume() {
    let folder = folder("pause");
    let mut h = Harness::new(SimOptions { folder: Some(folder.clone()), ..SimOptions::default() });
    let call = h.post("ALAudioPlayer.playFile", &[s("beep.wav")]);
    let id = Value::Int(call.0.into());
    h.wait(0.2);
    h.get("ALAudioPlayer.pause", &[id.clone()]);
    assert_eq!(h.timers_alive(), 0, "what is paused does not keep a run going");
    h.wait(5.0);
    assert!(!h.done(call));
    h.get("ALAudioPlayer.pause", &[id.clone()]);
    h.get("ALAudioPlayer.goTo", &[id, 0.1.into()]);
    h.wait(0.39);
    assert!(!h.done(call));
    h.wait(0.02);
    assert!(h.done(call));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn unplayable_sounds_report_the_reason() {
    let folder = folder("broken");
    let mut h = Harness::new(SimOptions { folder: Some(folder.clone()), ..SimOptions::default() });
    let why = h.why("ALAudioPlayer.playFile", &[s("/no/such/file.wav")]);
    assert!(why.contains("`/no/such/file.wav`: there is no such file"), "{why}");
    let why = h.why("ALAudioPlayer.playFile", &[s("broken.ogg")]);
    assert!(why.contains("not a sound file"), "{why}");
    assert!(h.why("ALAudioPlayer.play", &[Value::Int(9)]).contains("no file was loaded with the id 9"));
    assert!(h.why("ALAudioPlayer.playFile", &[s("beep.wav"), 80.into()]).contains("from 0 to 1"));
    near(h.takes("ALAudioPlayer.playSine", &[440.into(), 50.into(), 0.into(), 1.5.into()]), 1.5);
    let stream = h.post("ALAudioPlayer.playWebStream", &[s("http://example.org/x"), 1.0.into(), 0.0.into()]);
    h.wait(100.0);
    assert!(!h.done(stream));
    h.cancel(stream);
    std::fs::remove_dir_all(folder).unwrap();
}
