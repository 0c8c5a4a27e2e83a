//! The open connections of a server. Their number is bounded, so that nobody who connects can use up the files of the process: starts
//! need files, too.

use std::collections::VecDeque;

use tokio::task::JoinHandle;

/// How many connections a server has at most.
const MOST: usize = 64;

/// The connections of one server, from the oldest to the newest. They are closed when it is dropped.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    open: VecDeque<JoinHandle<()>>,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections { most: MOST, open: VecDeque::new() }
    }
}

impl Connections {
    /// Serves one more connection. If there are too many, the oldest one is closed, so that a new client always gets an answer.
    pub(super) async fn serve(&mut self, connection: impl Future<Output = ()> + Send + 'static) {
        self.open.retain(|connection| !connection.is_finished());
        while self.open.len() >= self.most {
            let Some(oldest) = self.open.pop_front() else { break };
            oldest.abort();
            // It is closed once its task has ended.
            let _ = oldest.await;
        }
        self.open.push_back(tokio::spawn(connection));
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        self.open.iter().for_each(JoinHandle::abort);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn the_oldest_connection_makes_room() {
        let mut connections = Connections { most: 2, open: VecDeque::new() };
        let held: Vec<Arc<()>> = (0..4).map(|_| Arc::default()).collect();
        let open = || held.iter().map(|held| Arc::strong_count(held) - 1).collect::<Vec<_>>();
        for held in &held[..3] {
            let held = Arc::clone(held);
            connections
                .serve(async move {
                    std::future::pending::<()>().await;
                    drop(held)
                })
                .await;
        }
        assert_eq!(open(), [0, 1, 1, 0]);
        // One that has ended makes room as well.
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        connections
            .serve(async move {
                let _ = ended.await;
            })
            .await;
        end.send(()).unwrap();
        while !connections.open[1].is_finished() {
            tokio::task::yield_now().await;
        }
        let last = Arc::clone(&held[3]);
        connections
            .serve(async move {
                std::future::pending::<()>().await;
                drop(last)
            })
            .await;
        assert_eq!(open(), [0, 0, 1, 1]);
        drop(connections);
        while open() != [0; 4] {
            tokio::task::yield_now().await;
        }
    }
}
