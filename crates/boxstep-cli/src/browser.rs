//! Opens a page of Boxstep in the user's browser.
//!
//! The address has a token, and every account of a computer can read the arguments of programs. So the browser gets
//! the name of a file that only the user can read, and that leads on to the address.

use boxstep_format::output::PrivateFile;
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

/// Opens an address, unless nobody would see the browser. Returns the file that leads there, which is removed when it
/// is dropped. Errors are ignored, because the address is printed, too.
pub(crate) fn open(url: &str, wanted: bool) -> Option<PrivateFile> {
    if !wanted || !io::stdout().is_terminal() || !has_browser(|name| env::var_os(name)) {
        return None;
    }
    let file = leading_to(url).ok()?;
    open::that_detached(file.path()).ok()?;
    Some(file)
}

/// Returns whether this computer can show a browser to the user, by the environment: not in CI, and not over ssh or
/// without a display.
fn has_browser(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if set("CI") {
        return false;
    }
    if cfg!(any(windows, target_os = "macos")) {
        return !set("SSH_CONNECTION");
    }
    set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Writes the file that leads to an address.
fn leading_to(url: &str) -> io::Result<PrivateFile> {
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><title>Boxstep</title>\n\
         <meta http-equiv=\"refresh\" content=\"0;url={url}\"><a href=\"{url}\">to the page</a>\n"
    );
    PrivateFile::new(".html", page.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_opened_only_where_somebody_sees_it() {
        let with = |set: &[&str]| has_browser(|name| set.contains(&name).then(|| "1".into()));
        assert!(!with(&["CI", "DISPLAY", "WAYLAND_DISPLAY"]));
        assert!(!with(&["SSH_CONNECTION"]));
        assert_eq!(with(&[]), cfg!(any(windows, target_os = "macos")));
        if !cfg!(any(windows, target_os = "macos")) {
            assert!(with(&["DISPLAY"]) && with(&["WAYLAND_DISPLAY", "SSH_CONNECTION"]));
            assert!(!has_browser(|_| Some(OsString::new())), "empty is not set");
        }
    }

    #[test]
    fn the_browser_gets_a_file_of_the_user_and_not_the_token() {
        let url = "http://127.0.0.1:1/?token=secret";
        let file = leading_to(url).unwrap();
        let path = file.path().to_owned();
        assert!(!path.to_string_lossy().contains("secret") && path.extension().is_some_and(|e| e == "html"));
        assert_eq!(std::fs::read_to_string(&path).unwrap().matches(url).count(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(file);
        assert!(!path.exists());
    }
}
