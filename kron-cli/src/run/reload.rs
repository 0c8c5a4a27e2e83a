//! The files that are read again at SIGHUP, by a thread that nothing has to wait for: a file system may never answer.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use super::jobs::{self, JobCommand};
use super::log::Log;
use super::log_line::{Level, length};
use super::service_manager::ServiceManager;
use crate::args::jobs::JobArgs;
use crate::session::{Reading, Session, Stop};
use crate::watch::apart::Apart;

/// For how long the files may be read.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// What the files are read with.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    jobs: JobArgs,
    apart: Apart,
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Read {
    /// `None` if there are errors.
    pub(crate) jobs: Option<Vec<JobCommand>>,
    /// Errors and warnings.
    pub(crate) report: String,
}

impl Files {
    /// The files of these arguments, with what the session has.
    pub(crate) fn new(jobs: &JobArgs, session: &mut Session<'_>) -> Result<Files, Stop> {
        let colored = session.colored_err();
        Ok(Files { jobs: jobs.clone(), apart: Apart::new(session, colored)? })
    }

    /// Reads them; `reading` says which one is being read.
    pub(crate) fn read(&self, reading: Reading) -> Read {
        let (jobs, report) = self.apart.run(reading, |session| jobs::read(&self.jobs, session));
        Read { jobs, report }
    }
}

/// Reads the files at each request, and gives what was read to `take`. Requests that come meanwhile are one request for the time
/// after. It never ends.
pub(crate) async fn serve<T: Send + 'static, Taken: Future<Output = ()>>(
    requests: Arc<Notify>,
    log: Log,
    manager: ServiceManager,
    limit: Duration,
    read: impl Fn(Reading) -> T + Clone + Send + 'static,
    take: impl Fn(T) -> Taken,
) {
    loop {
        requests.notified().await;
        manager.reloading();
        let (reading, read) = (Reading::default(), read.clone());
        let (ended, mut end) = oneshot::channel();
        let place = reading.clone();
        // A runtime would wait for its own threads when it ends. If the system has no thread left, `end` says so.
        let _ = std::thread::Builder::new().spawn(move || ended.send(read(reading)).is_ok());
        match timeout(limit, &mut end).await {
            Ok(Ok(read)) => take(read).await,
            Ok(Err(_)) => log.message(Level::Error, "the files cannot be read; the jobs stay as they are"),
            Err(_) => {
                let place =
                    place.at().map_or("the files".to_string(), |place: PathBuf| place.display().to_string());
                let text = format!(
                    "{place}: not read within {}; the jobs stay as they are, and the next SIGHUP waits until this read has ended",
                    length(limit)
                );
                log.message(Level::Error, text);
                manager.ready();
                // One thread at a time waits for such a file.
                let _ = end.await;
                continue;
            }
        }
        manager.ready();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::{Mutex, mpsc};

    use super::*;
    use crate::run::log_line::LogForm;

    /// Waits until a function says so.
    async fn until(mut is_so: impl FnMut() -> bool) {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn one_read_at_a_time_and_one_more_for_all_requests_meanwhile() {
        let (log, _writer) = Log::new(LogForm::Text, std::io::sink(), std::io::sink());
        let requests = Arc::new(Notify::new());
        // Each read takes the next number, which the test gives.
        let (numbers, given) = mpsc::channel::<u32>();
        let given = Arc::new(Mutex::new(given));
        let (begun, taken) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(Vec::new())));
        let read = {
            let begun = Arc::clone(&begun);
            move |_| {
                *begun.lock().unwrap() += 1;
                given.lock().unwrap().recv().unwrap()
            }
        };
        let take = {
            let taken = Arc::clone(&taken);
            move |number| {
                taken.lock().unwrap().push(number);
                std::future::ready(())
            }
        };
        let limit = Duration::from_secs(3600);
        let manager = ServiceManager::default();
        let serving = tokio::spawn(serve(Arc::clone(&requests), log, manager, limit, read, take));
        requests.notify_one();
        until(|| *begun.lock().unwrap() == 1).await;
        (0..3).for_each(|_| requests.notify_one());
        numbers.send(1).unwrap();
        until(|| *begun.lock().unwrap() == 2).await;
        numbers.send(2).unwrap();
        until(|| taken.lock().unwrap().len() == 2).await;
        // Nothing else was remembered.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!((*begun.lock().unwrap(), taken.lock().unwrap().clone()), (2, vec![1, 2]));
        serving.abort();
    }

    #[tokio::test]
    async fn a_read_that_takes_too_long_is_given_up_and_its_file_is_named() {
        let printed = Arc::new(Mutex::new(Vec::new()));
        let (log, writer) = Log::new(LogForm::Text, std::io::sink(), Shared(Arc::clone(&printed)));
        let requests = Arc::new(Notify::new());
        let (go, wait) = mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let read = move |reading: Reading| {
            reading.is_at(Path::new("/far/jobs.kron"));
            // Ends with the sender.
            let _ = wait.lock().unwrap().recv();
        };
        let (took, mut taken) = tokio::sync::mpsc::unbounded_channel();
        let take = move |()| {
            took.send(()).unwrap();
            std::future::ready(())
        };
        let limit = Duration::from_millis(10);
        let manager = ServiceManager::default();
        let serving = tokio::spawn(serve(Arc::clone(&requests), log, manager, limit, read, take));
        requests.notify_one();
        let text = || String::from_utf8(printed.lock().unwrap().clone()).unwrap();
        until(|| text().ends_with('\n')).await;
        assert_eq!(
            text(),
            "kron run: error: /far/jobs.kron: not read within 0.010s; the jobs stay as they are, and the next SIGHUP waits \
             until this read has ended\n"
        );
        assert!(taken.try_recv().is_err());
        // What was read too late is not taken. A later request reads again.
        drop(go);
        requests.notify_one();
        taken.recv().await.unwrap();
        serving.abort();
        let _ = serving.await;
        writer.finish(std::future::pending()).await;
        assert!(taken.try_recv().is_err());
    }

    /// What the log prints.
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
}
