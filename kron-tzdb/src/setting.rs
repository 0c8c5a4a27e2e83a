//! Where the time zone database comes from: a flag, the environment, or the library itself.

use std::ffi::OsString;
use std::path::PathBuf;

use kron_core::TzDatabase;

use crate::dir::read_dir;
use crate::error::ReadError;

/// The word that means the compiled-in database, in a flag or in `KRON_TZDB`.
pub const COMPILED_IN: &str = "compiled-in";

/// Where the time zone database comes from.
///
/// ```
/// use kron_tzdb::Setting;
/// // A flag comes first, then `KRON_TZDB`, then `TZDIR`.
/// let environment = |name: &str| (name == "TZDIR").then(|| "/usr/share/zoneinfo".into());
/// assert_eq!(Setting::new(None, environment), Setting::Dir { path: "/usr/share/zoneinfo".into(), from: "TZDIR" });
/// assert_eq!(Setting::new(Some("compiled-in".into()), environment), Setting::CompiledIn);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The database that is compiled into the library.
    CompiledIn,
    /// A directory of TZif files.
    Dir {
        /// The directory.
        path: PathBuf,
        /// What named it: `--tzdb`, `KRON_TZDB` or `TZDIR`.
        from: &'static str,
    },
}

impl Setting {
    /// The setting by a flag and the environment. The flag comes first, then the variable `KRON_TZDB`, then `TZDIR`, which
    /// other programs read too. An empty variable counts as absent. [`COMPILED_IN`] as the flag or as `KRON_TZDB` means the
    /// compiled-in database, which is also what remains if nothing is set.
    pub fn new(flag: Option<PathBuf>, environment: impl Fn(&str) -> Option<OsString>) -> Setting {
        let variable = |name| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let found = flag
            .map(|path| (path, "--tzdb"))
            .or_else(|| variable("KRON_TZDB").map(|path| (path, "KRON_TZDB")))
            .or_else(|| variable("TZDIR").map(|path| (path, "TZDIR")));
        match found {
            Some((path, from)) if path.as_os_str() != COMPILED_IN || from == "TZDIR" => {
                Setting::Dir { path, from }
            }
            _ => Setting::CompiledIn,
        }
    }

    /// The database.
    ///
    /// # Errors
    ///
    /// Those of [`read_dir`].
    pub fn read(&self) -> Result<TzDatabase, ReadError> {
        match self {
            Setting::CompiledIn => Ok(TzDatabase::COMPILED_IN),
            Setting::Dir { path, .. } => read_dir(path),
        }
    }
}
