//! By what it is seen that files have changed.

use std::path::PathBuf;

use crate::tree::{self, Stamp};

/// The files that paths mean, as they were at some time. A file that is not there has no stamp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(Vec<(PathBuf, Option<Stamp>)>);

impl Marks {
    /// The files of these paths now; of a directory, those below it that git does not ignore.
    pub(crate) fn of(paths: &[PathBuf]) -> Marks {
        let mut marks = Vec::new();
        for path in paths {
            if path.is_dir() {
                let files = tree::walk(path).flatten();
                marks.extend(files.map(|file| (file.clone(), Stamp::of_file(&file))));
            } else {
                marks.push((path.clone(), Stamp::of_file(path)));
            }
        }
        Marks(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_files_and_folders_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("a.kron"), folder.path().join("b.kron"));
        for paths in [vec![file.clone()], vec![folder.path().to_path_buf()]] {
            let _ = std::fs::remove_file(&file);
            let none = Marks::of(&paths);
            std::fs::write(&file, "@daily name=a\n").unwrap();
            let first = Marks::of(&paths);
            assert_ne!(none, first);
            assert_eq!(first, Marks::of(&paths));
            std::fs::write(&file, "@hourly name=a\n").unwrap();
            assert_ne!(first, Marks::of(&paths));
        }
        let paths = [folder.path().to_path_buf()];
        let one = Marks::of(&paths);
        std::fs::write(&other, "@daily name=b\n").unwrap();
        assert_ne!(one, Marks::of(&paths));
    }
}
