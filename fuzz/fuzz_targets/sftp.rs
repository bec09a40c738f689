#![no_main]

//! The answers of a robot's SFTP server: what is read of them stays within its limits, whatever they are.

use boxstep_rescue::disk::{Disk as _, DiskPath};
use boxstep_rescue::sftp::Sftp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut sftp) = Sftp::open(bytes, std::io::sink()) else { return };
    let home = sftp.homes().ok().and_then(|mut homes| homes.pop()).unwrap_or_else(|| DiskPath::new(b"/"));
    for entry in sftp.list(&home, 100).unwrap_or_default().into_iter().take(100) {
        let mut read = 0;
        let _ = sftp.read(&home.join(&entry.name), 0, 1 << 20, &mut |bytes| {
            read += bytes.len();
            Ok(())
        });
        assert!(read <= 1 << 20);
        let _ = sftp.link(&home.join(&entry.name));
    }
    let _ = sftp.space(&home);
    let _ = sftp.clock();
    let _ = sftp.put(&home, &mut &b"a package"[..]);
});
