//! The output of commands that waits to be read.

use tokio::sync::watch;

/// How many streams of commands have output that is not in the log yet. Clones share the number.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(watch::Sender<usize>);

/// A stream that has such output, until this is dropped.
#[derive(Debug)]
pub(super) struct UnreadStream(Unread);

impl Unread {
    /// One more stream has output.
    pub(super) fn stream(&self) -> UnreadStream {
        self.0.send_modify(|count| *count += 1);
        UnreadStream(self.clone())
    }

    /// Waits until no stream has any, but no longer than `enough`. Returns how many have some then.
    pub(super) async fn read(&self, enough: impl Future<Output = ()>) -> usize {
        let mut count = self.0.subscribe();
        tokio::select! {
            biased;
            // The sender is here, so it does not fail.
            _ = count.wait_for(|count| *count == 0) => {}
            () = enough => {}
        }
        *self.0.borrow()
    }
}

impl Drop for UnreadStream {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn output_is_waited_for_until_it_is_read() {
        let unread = Unread::default();
        assert_eq!(unread.read(pending()).await, 0);
        let (one, two) = (unread.stream(), unread.stream());
        assert_eq!(unread.read(ready(())).await, 2);
        drop(one);
        let waiting = tokio::spawn({
            let unread = unread.clone();
            async move { unread.read(pending()).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(two);
        assert_eq!(waiting.await.unwrap(), 0);
    }
}
