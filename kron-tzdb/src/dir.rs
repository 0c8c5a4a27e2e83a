//! A directory of TZif files becomes a time zone database.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use kron_core::TzDatabase;

use crate::error::ReadError;

/// Most files that are looked at; a compiled IANA database has about 600, three times that with `posix` and `right`.
const FILES: usize = 10_000;
/// Zones are at most three names deep, such as `America/Argentina/Ushuaia`.
const DEPTH: usize = 3;
/// The most bytes that are read of a file; the core refuses what is longer than 65,536.
const BYTES: u64 = 65_537;

/// Reads a directory of TZif files, such as `/usr/share/zoneinfo`. Zones are named by their paths in it.
///
/// The version is the content of the file `+VERSION`, or what the first line of `tzdata.zi` says; the database has
/// none if there is neither. Files that are not TZif are ignored, unless they have the name of a zone. Names that do
/// not begin with a capital letter, as all names of the IANA database do, are ignored, too: `localtime`, `posixrules`,
/// and the copies of the database in `posix` and `right`, of which the latter counts leap seconds. If there is no zone
/// but a directory `zoneinfo`, that one is read: it is where the PyPI package `tzdata` has its files.
///
/// # Errors
///
/// If a file cannot be read, if there is no zone, if there are more than 10,000 files, or if the core refuses the data.
///
/// ```
/// assert!(kron_tzdb::read_dir("/does/not/exist").unwrap_err().to_string().starts_with("/does/not/exist: "));
/// ```
pub fn read_dir(path: impl AsRef<Path>) -> Result<TzDatabase, ReadError> {
    let path = path.as_ref();
    let mut files = Files { root: path, zones: BTreeMap::new(), seen: 0 };
    files.read(path, "", DEPTH)?;
    if files.zones.is_empty() {
        let inner = path.join("zoneinfo");
        if inner.is_dir() && path.file_name().is_none_or(|name| name != "zoneinfo") {
            return read_dir(inner);
        }
        return Err(ReadError::NoZones { path: path.to_owned() });
    }
    let version = version(path)?;
    TzDatabase::from_tzif(version.as_deref(), files.zones)
        .map_err(|error| ReadError::Data { path: path.to_owned(), error })
}

struct Files<'p> {
    root: &'p Path,
    /// The data of each zone by its name.
    zones: BTreeMap<String, Vec<u8>>,
    seen: usize,
}

impl Files<'_> {
    /// Reads a directory whose files are named with a prefix, and directories in it down to a depth.
    fn read(&mut self, dir: &Path, prefix: &str, depth: usize) -> Result<(), ReadError> {
        let entries = fs::read_dir(dir).map_err(|error| ReadError::io(dir, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| ReadError::io(dir, error))?;
            self.seen += 1;
            if self.seen > FILES {
                return Err(ReadError::TooManyFiles { path: self.root.to_owned(), max: FILES });
            }
            // A zone's name is ASCII, so what is not UTF-8 is not a zone.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
                continue;
            }
            let path = entry.path();
            let name = format!("{prefix}{name}");
            // Follows links, of which distributions and mounted volumes make use.
            let kind = fs::metadata(&path).map_err(|error| ReadError::io(&path, error))?;
            if kind.is_dir() {
                if depth > 1 {
                    self.read(&path, &format!("{name}/"), depth - 1)?;
                }
            } else if kind.is_file() {
                self.read_file(&path, name)?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path, name: String) -> Result<(), ReadError> {
        let data = read_start(path, BYTES).map_err(|error| ReadError::io(path, error))?;
        // A damaged file of a known zone must not vanish: its jobs would be refused for an unknown name.
        if data.starts_with(b"TZif") || TzDatabase::COMPILED_IN.zone(&name).is_ok() {
            self.zones.insert(name, data);
        }
        Ok(())
    }
}

/// The first bytes of a file.
fn read_start(path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut data)?;
    Ok(data)
}

/// The version that the directory names, if it names one.
fn version(dir: &Path) -> Result<Option<String>, ReadError> {
    let line = |file: &str| -> Result<Option<String>, ReadError> {
        let path = dir.join(file);
        match read_start(&path, 256) {
            Ok(data) => Ok(Some(
                String::from_utf8_lossy(data.split(|byte| *byte == b'\n').next().unwrap_or(&[]))
                    .trim()
                    .to_string(),
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ReadError::io(&path, error)),
        }
    };
    if let Some(version) = line("+VERSION")?.filter(|version| !version.is_empty()) {
        return Ok(Some(version));
    }
    // `# version 2026f`
    Ok(line("tzdata.zi")?.and_then(|line| Some(line.strip_prefix("# version ")?.trim().to_string())))
}
