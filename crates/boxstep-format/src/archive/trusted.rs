//! Files that programs on a user's computer run or obey just because they lie in a folder, e.g. when the user calls
//! `git status`, opens an editor, or enters the folder in a shell. No behavior needs them, so archives are packed and
//! unpacked without them.

/// Names with a leading dot that are allowed: projects have them, and no program on the user's computer runs them. All
/// others with a leading dot are left out, because the programs that obey such files differ from user to user, and new
/// ones appear every year.
const ALLOWED: [&str; 5] = [".gitattributes", ".github", ".gitignore", ".gitkeep", ".metadata"];

/// Names of files and folders, in lower case, that some common program obeys without being told to. Names with a
/// leading dot are listed too, because the short names that Windows gives them have none.
const NAMES: [&str; 44] = [
    // Version control.
    ".git",
    ".hg",
    ".svn",
    ".bzr",
    ".jj",
    "_darcs",
    // Shells.
    ".envrc",
    ".autoenv",
    ".direnv",
    ".autoenv.zsh",
    ".mise",
    ".mise.toml",
    ".mise.local.toml",
    "mise.toml",
    // Editors and debuggers.
    ".vscode",
    ".vs",
    ".idea",
    ".zed",
    ".fleet",
    ".helix",
    ".devcontainer",
    ".devcontainer.json",
    ".exrc",
    ".vimrc",
    "_vimrc",
    ".lvimrc",
    ".nvimrc",
    ".nvim.lua",
    ".dir-locals.el",
    ".dir-locals-2.el",
    ".gdbinit",
    ".lldbinit",
    ".pdbrc",
    // Builders and linters.
    ".husky",
    ".pre-commit-config.yaml",
    ".eslintrc.js",
    ".cargo",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    // AI assistants.
    ".claude",
    ".cursor",
    ".mcp.json",
];

/// Returns the part of a path (`/` separates) up to the first name that programs obey; everything in such a folder is
/// left out with it.
pub(super) fn part_of(path: &str) -> Option<&str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let mut from = 0;
    for end in ends {
        if is_obeyed(path.get(from..end)?) {
            return path.get(..end);
        }
        from = end + 1;
    }
    None
}

/// Returns true if a file turns the folder around it into a repository: git looks for a `HEAD` file like this in
/// whatever folder it is called, and obeys the `config` file beside it.
pub(super) fn makes_a_repository(path: &str, bytes: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_hash = bytes.get(..40).is_some_and(|hash| hash.iter().all(u8::is_ascii_hexdigit));
    equivalent_name(name) == "head" && (bytes.starts_with(b"ref:") || is_hash)
}

/// Returns true if programs obey a file or folder of this name on any system.
pub(super) fn is_obeyed(name: &str) -> bool {
    let name = equivalent_name(name);
    // Names `._NAME` are AppleDouble files of macOS; other code skips them.
    let hidden = name.starts_with('.') && !name.starts_with("._") && !ALLOWED.contains(&&*name);
    // An editor that opens a workspace file runs the tasks in it.
    hidden
        || name.ends_with(".code-workspace")
        || NAMES.iter().any(|obeyed| *obeyed == name || is_short_for(&name, obeyed))
}

/// Returns the name that some file system treats as equal to this one: Windows drops dots and spaces at the end, macOS
/// ignores some invisible characters, and both ignore case, also of unusual characters (`ſ` is an s, and the Kelvin
/// sign a k).
fn equivalent_name(name: &str) -> String {
    let unseen =
        |c: char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let seen: String = name.chars().filter(|c| !unseen(*c)).collect();
    seen.trim_end_matches(['.', ' ']).to_uppercase().to_lowercase()
}

/// Returns true if `name` is the short name that Windows gives a file of the name `long`: `git~1` for `.git`,
/// `dir-lo~1.el` for `.dir-locals.el`.
fn is_short_for(name: &str, long: &str) -> bool {
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let Some((start, number)) = stem.split_once('~') else { return false };
    let long = long.trim_start_matches('.');
    let (long_stem, long_ending) = long.rsplit_once('.').unwrap_or((long, ""));
    let long_stem: String = long_stem.chars().filter(|c| *c != '.').take(6).collect();
    let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    counted && start == long_stem && ending == long_ending.get(..3).unwrap_or(long_ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_every_disguise() {
        let git =
            [".git", ".GIT", ".Git.", ".git . .", ".git ", "git~1", "GIT~1", "GIT~2.", ".g\u{200c}it", "\u{feff}.git"];
        let others = [".ſvn", "vscode~1", ".VSCode", "DIR-LO~1.EL", "NVIM~1.LUA", "_Darcs", "YARNRC~1.YML"];
        for name in git.into_iter().chain(others) {
            assert!(is_obeyed(name), "{name}");
        }
        for name in NAMES {
            assert!(is_obeyed(name) && is_obeyed(&name.to_uppercase()), "{name}");
        }
    }

    #[test]
    fn a_name_that_begins_with_a_dot_is_obeyed_unless_projects_have_it() {
        for name in [
            ".ssh",
            ".pre-commit-config.yaml",
            ".eslintrc.js",
            ".helix",
            ".direnv",
            ".husky",
            ".Bashrc",
            "a.code-workspace",
            "HUSKY~1",
        ] {
            assert!(is_obeyed(name), "{name}");
        }
        assert!(ALLOWED.iter().all(|name| !is_obeyed(name)));
    }

    #[test]
    fn the_page_has_every_name() {
        let page = include_str!("../../../../docs/guides/archives.md");
        for name in NAMES.into_iter().filter(|name| !name.starts_with('.')).chain(ALLOWED) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        for name in [
            "git",
            ".gitignore",
            ".gitattributes",
            ".github",
            ".metadata",
            "idea",
            "git~",
            "git~1.txt",
            "~1",
            ".",
            "",
            "a.git",
            "behavior.xar",
            "digit~1",
            "HEAD",
        ] {
            assert!(!is_obeyed(name), "{name}");
        }
    }

    #[test]
    fn the_path_up_to_the_first_obeyed_name_is_returned() {
        assert_eq!(part_of("a/.git/hooks/post-checkout"), Some("a/.git"));
        assert_eq!(part_of(".vscode"), Some(".vscode"));
        assert_eq!(part_of("a/.hg/.git/x"), Some("a/.hg"));
        assert_eq!(part_of("a/b.xar"), None);
    }

    #[test]
    fn a_repository_may_stand_under_any_name() {
        let hash = "0123456789abcdef0123456789ABCDEF01234567\n";
        for (name, bytes) in [("a/HEAD", "ref: refs/heads/x\n"), ("head", hash), ("a/Head.", "ref:x")] {
            assert!(makes_a_repository(name, bytes.as_bytes()), "{name}");
        }
        for (name, bytes) in [("HEAD", "a table's head"), ("HEAD.txt", "ref: x"), ("a/HEAD/b", "ref: x"), ("HEAD", "")]
        {
            assert!(!makes_a_repository(name, bytes.as_bytes()), "{name}");
        }
    }
}
