//! What guards the metrics at a port of their own: a certificate and a bearer token, from files that may change at any time.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::HeaderValue;
use parking_lot::Mutex;
use subtle::ConstantTimeEq as _;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The most bytes of a file. A certificate with its chain has some thousand.
const MOST_BYTES: u64 = 256 << 10;
/// The fewest bytes of a token, so that nobody can guess it.
const SHORTEST_TOKEN: usize = 16;
/// The most bytes of a token: servers and proxies limit the lines of headers.
const LONGEST_TOKEN: usize = 4096;

/// Where the certificate, its key and the token are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardFiles {
    /// The certificate and its chain, in PEM.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
    /// The token that clients send, without line breaks but one at its end.
    pub token: PathBuf,
}

const CERTIFICATE: &str = "--metrics-tls-cert";
const KEY: &str = "--metrics-tls-key";
const TOKEN: &str = "--metrics-token";

/// Reads a file, if it is not too large.
fn read(flag: &str, path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| unusable(flag, path, error);
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unusable(flag, path, format!("it has more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Why a file cannot be used, and what should be there.
fn unusable(flag: &str, path: &Path, problem: impl std::fmt::Display) -> String {
    format!("{flag} {}: {problem}", path.display())
}

/// Why the certificate and the key cannot be used: they do not belong together, or are of a kind that is not known.
fn unusable_pair(error: tokio_rustls::rustls::Error) -> String {
    format!("{CERTIFICATE} and {KEY}: {error} (do they belong together?)")
}

/// What the files held when they were read.
struct Current {
    files: [Vec<u8>; 3],
    tls: Arc<ServerConfig>,
    token: Vec<u8>,
}

impl Current {
    fn new(files: [Vec<u8>; 3], paths: &GuardFiles) -> Result<Current, String> {
        let [certificate, key, token] = &files;
        let missing = |flag, path: &Path, what| unusable(flag, path, format!("there is no {what} in PEM"));
        let chain: Result<Vec<CertificateDer<'static>>, _> =
            CertificateDer::pem_slice_iter(certificate).collect();
        let chain = chain.map_err(|error| unusable(CERTIFICATE, &paths.certificate, error))?;
        if chain.is_empty() {
            return Err(missing(CERTIFICATE, &paths.certificate, "certificate"));
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| missing(KEY, &paths.key, "private key"))?;
        let mut tls = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unusable_pair)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(unusable_pair)?;
        // Prometheus offers HTTP/2, too.
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        let token = token.trim_ascii().to_vec();
        if !(SHORTEST_TOKEN..=LONGEST_TOKEN).contains(&token.len()) || !token.iter().all(u8::is_ascii_graphic)
        {
            let wanted = format!(
                "expected a token of {SHORTEST_TOKEN} to {LONGEST_TOKEN} letters, digits and signs, without blanks, \
                 such as the output of `openssl rand -hex 32`"
            );
            return Err(unusable(TOKEN, &paths.token, wanted));
        }
        Ok(Current { tls: Arc::new(tls), token, files })
    }
}

/// What the files have now.
fn read_all(paths: &GuardFiles) -> Result<[Vec<u8>; 3], String> {
    Ok([read(CERTIFICATE, &paths.certificate)?, read(KEY, &paths.key)?, read(TOKEN, &paths.token)?])
}

/// Says who may read the metrics. It holds what the files had when they were last read and could be used.
pub struct Guard {
    paths: GuardFiles,
    current: Mutex<Arc<Current>>,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("paths", &self.paths).finish_non_exhaustive()
    }
}

impl Guard {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// If one cannot be read, or has something else in it.
    pub fn new(paths: GuardFiles) -> Result<Guard, String> {
        let current = Mutex::new(Arc::new(Current::new(read_all(&paths)?, &paths)?));
        Ok(Guard { paths, current })
    }

    /// Reads the files again. Says whether they have changed.
    ///
    /// # Errors
    ///
    /// As of [`Guard::new`], as where only one of two files is written yet. Then what was read before stays in use.
    pub fn refresh(&self) -> Result<bool, String> {
        let files = read_all(&self.paths)?;
        let changed = files != self.current().files;
        if changed {
            *self.current.lock() = Arc::new(Current::new(files, &self.paths)?);
        }
        Ok(changed)
    }

    /// The settings for the next connection.
    pub(super) fn tls(&self) -> Arc<ServerConfig> {
        self.current().tls.clone()
    }

    /// Whether the header `Authorization` of a request has the token.
    pub(super) fn admits(&self, authorization: Option<&HeaderValue>) -> bool {
        let Some((scheme, token)) = authorization.and_then(|value| value.to_str().ok()?.split_once(' '))
        else {
            return false;
        };
        // In a time that says nothing about where they differ.
        let same = token.trim_ascii().as_bytes().ct_eq(&self.current().token);
        scheme.eq_ignore_ascii_case("bearer") && bool::from(same)
    }

    fn current(&self) -> Arc<Current> {
        self.current.lock().clone()
    }
}
