//! Disks of dead robots: folders, and images of partitions and of whole disks.

use crate::peer::{Silent, files};
use boxstep_rescue::copy::{CopyError, Limits, Listed, copy};
use boxstep_rescue::disk::{FolderDisk, ImageDisk, ImageError};
use boxstep_rescue::manifest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn dead_robot(root: &Path) {
    let apps = root.join("home/nao/.local/share/PackageManager/apps/dance");
    fs::create_dir_all(&apps).unwrap();
    fs::write(apps.join("manifest.xml"), "<package/>").unwrap();
    fs::write(apps.join("music.wav"), vec![7; 200_000]).unwrap();
    fs::create_dir_all(root.join("var/log/naoqi")).unwrap();
    fs::write(root.join("var/log/naoqi/head.log"), "the end").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", apps.join("link")).unwrap();
}

const EXPECTED: [&str; 4] =
    ["logs/head.log", "manifest.jsonl", "packages/dance/manifest.xml", "packages/dance/music.wav"];

#[test]
fn the_folder_of_a_disk_or_of_a_home_is_enough() {
    let (disk, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    dead_robot(disk.path());
    copy(
        &mut FolderDisk::new(disk.path()),
        home.path(),
        Limits::default(),
        &mut Listed::default(),
        &mut Silent::default(),
    )
    .unwrap();
    assert_eq!(files(home.path()).keys().collect::<Vec<_>>(), EXPECTED);
    let alone = tempfile::tempdir().unwrap();
    copy(
        &mut FolderDisk::new(&disk.path().join("home/nao")),
        alone.path(),
        Limits::default(),
        &mut Listed::default(),
        &mut Silent::default(),
    )
    .unwrap();
    assert_eq!(files(alone.path()).keys().collect::<Vec<_>>(), EXPECTED[1..].iter().collect::<Vec<_>>());
}

#[test]
fn a_folder_that_is_no_robots_is_refused() {
    let (disk, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(disk.path().join("letter.txt"), "Dear Sir").unwrap();
    let refused = copy(
        &mut FolderDisk::new(disk.path()),
        home.path(),
        Limits::default(),
        &mut Listed::default(),
        &mut Silent::default(),
    );
    assert!(matches!(refused, Err(CopyError::NoPlaces)));
}

#[cfg(unix)]
#[test]
fn links_of_a_folder_do_not_lead_out_of_it() {
    let (disk, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    dead_robot(disk.path());
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("secret"), "secret").unwrap();
    fs::create_dir_all(disk.path().join("etc")).unwrap();
    std::os::unix::fs::symlink(secret.path(), disk.path().join("etc/naoqi")).unwrap();
    std::os::unix::fs::symlink(secret.path(), disk.path().join("home/nao/naoqi")).unwrap();
    copy(
        &mut FolderDisk::new(disk.path()),
        home.path(),
        Limits::default(),
        &mut Listed::default(),
        &mut Silent::default(),
    )
    .unwrap();
    assert!(!files(home.path()).keys().any(|path| path.contains("secret")));
}

/// Makes the image of a file system, or returns `None` on a machine that cannot.
fn image(of: &Path, into: &Path, kind: &str) -> Option<PathBuf> {
    let image = into.join(format!("{kind}.img"));
    let made = Command::new("mke2fs").args(["-q", "-t", kind, "-d"]).arg(of).arg(&image).arg("16M").output().ok()?;
    made.status.success().then_some(image)
}

#[test]
fn images_of_partitions_and_of_disks_are_read() {
    let (disk, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    dead_robot(disk.path());
    for kind in ["ext2", "ext3", "ext4"] {
        let Some(image) = image(disk.path(), made.path(), kind) else {
            eprintln!("skipped: there is no mke2fs on this machine");
            return;
        };
        let home = tempfile::tempdir().unwrap();
        copy(
            &mut ImageDisk::open(&image).unwrap(),
            home.path(),
            Limits::default(),
            &mut Listed::default(),
            &mut Silent::default(),
        )
        .unwrap();
        assert_eq!(files(home.path()).keys().collect::<Vec<_>>(), EXPECTED);
        assert_eq!(files(home.path())["packages/dance/music.wav"], vec![7; 200_000]);
        let items = manifest::of_folder(home.path()).unwrap();
        assert!(items.values().any(|state| *state == manifest::State::Link("/etc/passwd".to_owned())));
        // A disk with a table of partitions: a swap, a system without a home, and this one; first as MBR, then as GPT.
        let partition = fs::read(&image).unwrap();
        let mut mbr = vec![0; 4096 * 512];
        for (number, (kind, start)) in [(0x82_u8, 2048_u32), (5, 3000)].into_iter().enumerate() {
            mbr[446 + 16 * number + 4] = kind;
            mbr[446 + 16 * number + 8..][..4].copy_from_slice(&start.to_le_bytes());
        }
        mbr[510..512].copy_from_slice(&[0x55, 0xaa]);
        // A logical partition, relative to its own sector.
        mbr[3000 * 512 + 446 + 4] = 0x83;
        mbr[3000 * 512 + 446 + 8..][..4].copy_from_slice(&1096_u32.to_le_bytes());
        mbr[3000 * 512 + 510..][..2].copy_from_slice(&[0x55, 0xaa]);
        let mut gpt = vec![0; 4096 * 512];
        gpt[446 + 4] = 0xee;
        gpt[446 + 8] = 1;
        gpt[510..512].copy_from_slice(&[0x55, 0xaa]);
        gpt[512..520].copy_from_slice(b"EFI PART");
        gpt[512 + 72..][..8].copy_from_slice(&2_u64.to_le_bytes());
        gpt[512 + 80..][..8].copy_from_slice(&[8, 0, 0, 0, 128, 0, 0, 0]);
        gpt[1024 + 128 + 32..][..8].copy_from_slice(&4096_u64.to_le_bytes());
        for table in [mbr, gpt] {
            let whole = made.path().join("disk.img");
            fs::write(&whole, [table, partition.clone()].concat()).unwrap();
            let home = tempfile::tempdir().unwrap();
            copy(
                &mut ImageDisk::open(&whole).unwrap(),
                home.path(),
                Limits::default(),
                &mut Listed::default(),
                &mut Silent::default(),
            )
            .unwrap();
            assert_eq!(files(home.path()).keys().filter(|path| path.starts_with("packages")).count(), 2);
        }
    }
}

#[test]
fn files_that_are_no_image_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.img");
    let mut loops = vec![0; 1 << 16];
    loops[510..512].copy_from_slice(&[0x55, 0xaa]);
    loops[446 + 4] = 5;
    loops[446 + 8] = 1;
    loops[512 + 446 + 4] = 5;
    loops[512 + 510..][..2].copy_from_slice(&[0x55, 0xaa]);
    for bytes in [Vec::new(), vec![0; 100], vec![0xff; 1 << 20], loops] {
        fs::write(&file, bytes).unwrap();
        assert!(matches!(ImageDisk::open(&file), Err(ImageError::NoFileSystem(_) | ImageError::Io(_))));
    }
}
