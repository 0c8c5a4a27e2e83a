//! Watches: the stream of changes of a collection.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::{Instant, Interval};

use crate::call::Call;
use crate::encode::Shown;
use crate::network::{Control, Cut};
use crate::options::ListOptions;
use crate::resource::View;
use crate::selectors::Selection;
use crate::server::Server;
use crate::status::Status;
use crate::store::{Store, TableId};
use crate::table::{Change, Object, Watcher};
use crate::verbs::{Target, list};

/// Servers end watches that name no timeout after 30 to 60 minutes; this one takes the least.
const LONGEST: u64 = 1800;
const BETWEEN_BOOKMARKS: Duration = Duration::from_secs(60);
/// The annotation of the bookmark that ends the initial events.
const INITIAL_END: &str = "k8s.io/initial-events-end";

/// A watch that was opened and is not streaming yet.
pub(crate) struct Opened {
    table: TableId,
    number: Option<u64>,
    changes: Option<UnboundedReceiver<Arc<Change>>>,
    lines: VecDeque<Bytes>,
    filter: Filter,
    last: u64,
    bookmarks: bool,
    timeout: Duration,
}

impl Opened {
    /// The number of the watcher; none if the watch ends with its first event.
    pub(crate) fn number(&self) -> Option<u64> {
        self.number
    }
}

struct Filter {
    selection: Selection,
    selectable: &'static [(&'static str, &'static [&'static str])],
    view: View,
}

impl Filter {
    fn selects(&self, object: &Object) -> bool {
        self.selection.matches(&object.value, self.selectable)
    }

    /// The event that a change is to this watch, if it is one.
    fn event(&self, change: &Change) -> Option<Bytes> {
        let before = change.previous.as_ref().filter(|object| self.selects(object));
        let after = !change.removed && self.selects(&change.object);
        match (before, after) {
            (None, false) => None,
            (None, true) => Some(self.line("ADDED", &change.object.value)),
            (Some(_), true) => Some(self.line("MODIFIED", &change.object.value)),
            (Some(_), false) if change.removed => Some(self.line("DELETED", &change.object.value)),
            (Some(before), false) => {
                // It left the selection: it is shown as it was, with the version at which it left.
                let mut value = before.value.clone();
                crate::json::set(&mut value, &["metadata", "resourceVersion"], change.version.to_string());
                Some(self.line("DELETED", &value))
            }
        }
    }

    fn line(&self, kind: &str, value: &Value) -> Bytes {
        #[derive(serde::Serialize)]
        struct Event<'a> {
            #[serde(rename = "type")]
            kind: &'a str,
            object: Shown<'a>,
        }
        let object = Shown { value, view: &self.view, item: false };
        let mut line = serde_json::to_vec(&Event { kind, object }).unwrap_or_default();
        line.push(b'\n');
        line.into()
    }

    fn bookmark(&self, version: u64, initial_end: bool) -> Bytes {
        let view = &self.view;
        let (kind, api_version) = if view.metadata_only {
            ("PartialObjectMetadata", "meta.k8s.io/v1")
        } else {
            (view.kind.as_str(), view.api_version.as_str())
        };
        let mut metadata = json!({"resourceVersion": version.to_string(), "creationTimestamp": null});
        if initial_end {
            metadata["annotations"] = json!({INITIAL_END: "true"});
        }
        let object = json!({"kind": kind, "apiVersion": api_version, "metadata": metadata});
        raw_line("BOOKMARK", &object)
    }
}

fn raw_line(kind: &str, object: &Value) -> Bytes {
    let mut line = json!({"type": kind, "object": object}).to_string().into_bytes();
    line.push(b'\n');
    line.into()
}

/// Opens a watch; from here on no change is missed. `stale`: the version that reads which allow it are served at.
pub(crate) fn open(
    store: &mut Store,
    call: &Call,
    target: &Target,
    stale: Option<u64>,
) -> Result<Opened, Status> {
    let mut options = ListOptions::read(call)?;
    if !call.name.is_empty() {
        options.field_selector = format!("metadata.name={}", call.name);
    }
    let selection = list::selection(&options, target)?;
    let current = store.version();
    let from: u64 = match options.resource_version.as_str() {
        "" => 0,
        text => text.parse().map_err(|_| {
            Status::bad_request(format!("Invalid value: {text:?}: strconv.ParseUint: invalid syntax"))
        })?,
    };
    if options.send_initial_events == Some(true) && from > current {
        return Err(Status::too_large(from, current));
    }
    let mut opened = Opened {
        table: target.table,
        number: None,
        changes: None,
        lines: VecDeque::new(),
        filter: Filter { selection, selectable: target.selectable(), view: target.view.clone() },
        last: from,
        bookmarks: options.bookmarks,
        timeout: Duration::from_secs(options.timeout_seconds.filter(|&n| n > 0).unwrap_or(LONGEST)),
    };
    let namespace = (!call.namespace.is_empty()).then_some(call.namespace.as_str());
    let table = store.table(target.table);
    let initial = match options.send_initial_events {
        Some(wanted) => wanted,
        None => from == 0,
    };
    if initial {
        // Only "0", not the absence of a version, takes any version that a cache has.
        let any = !options.resource_version.is_empty();
        let version = stale.filter(|&stale| any && from <= stale).unwrap_or(current).max(table.oldest());
        if let Some(snapshot) = table.at(version) {
            for (_, object) in snapshot.iter(namespace, None) {
                if opened.filter.selects(object) {
                    opened.lines.push_back(opened.filter.line("ADDED", &object.value));
                }
            }
        }
        opened.last = version;
        if options.send_initial_events == Some(true) && options.bookmarks {
            opened.lines.push_back(opened.filter.bookmark(version, true));
        }
    } else if options.send_initial_events == Some(false) && from == 0 {
        opened.last = current;
    }
    let Some(missed) = table.since(opened.last) else {
        let status = Status::too_old(opened.last, table.oldest());
        opened.lines.push_back(raw_line("ERROR", &status.to_value()));
        return Ok(opened);
    };
    for change in missed {
        if namespace.is_none_or(|namespace| change.key.namespace == namespace) {
            opened.lines.extend(opened.filter.event(change));
        }
        opened.last = change.version;
    }
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let watcher = Watcher { namespace: namespace.map(str::to_owned), changes: sender };
    opened.number = Some(store.watch(target.table, watcher));
    opened.changes = Some(receiver);
    Ok(opened)
}

/// A running watch.
pub(crate) struct Stream {
    server: Server,
    opened: Opened,
    control: watch::Receiver<Control>,
    ticks: Interval,
    deadline: Instant,
    over: bool,
}

impl Stream {
    pub(crate) fn new(server: Server, opened: Opened, control: watch::Receiver<Control>) -> Stream {
        let now = Instant::now();
        let deadline = now + opened.timeout;
        let ticks = tokio::time::interval_at(now + BETWEEN_BOOKMARKS, BETWEEN_BOOKMARKS);
        Stream { server, opened, control, ticks, deadline, over: false }
    }

    /// The next piece of the body; an error breaks the connection.
    pub(crate) async fn next(&mut self) -> Option<Result<Bytes, std::io::Error>> {
        loop {
            let control = *self.control.borrow_and_update();
            match control.cut {
                Some(Cut::End) => return None,
                Some(Cut::Break) if self.over => return None,
                Some(Cut::Break) => {
                    self.over = true;
                    let kind = std::io::ErrorKind::ConnectionReset;
                    return Some(Err(std::io::Error::new(kind, "connection reset by peer")));
                }
                None => {}
            }
            if control.stalled {
                // The sender lives as long as the server, which this stream holds.
                if self.control.changed().await.is_err() {
                    return None;
                }
                continue;
            }
            if let Some(line) = self.opened.lines.pop_front() {
                return Some(Ok(line));
            }
            if self.over {
                return None;
            }
            let Some(changes) = &mut self.opened.changes else { return None };
            let bookmarks = self.opened.bookmarks;
            tokio::select! {
                biased;
                changed = self.control.changed() => if changed.is_err() { return None },
                change = changes.recv() => match change {
                    Some(change) => self.take(&change),
                    None => return None,
                },
                () = tokio::time::sleep_until(self.deadline) => {
                    self.over = true;
                    if bookmarks {
                        self.bookmark();
                    }
                }
                _ = self.ticks.tick(), if bookmarks => self.bookmark(),
            }
        }
    }

    fn take(&mut self, change: &Change) {
        self.opened.last = self.opened.last.max(change.version);
        let event = self.opened.filter.event(change);
        self.opened.lines.extend(event);
    }

    /// Sends the version up to which all changes were sent.
    fn bookmark(&mut self) {
        // Everything up to this version is in the channel already.
        let version = self.server.version();
        while let Some(change) = self.opened.changes.as_mut().and_then(|changes| changes.try_recv().ok()) {
            self.take(&change);
        }
        let line = self.opened.filter.bookmark(version.max(self.opened.last), false);
        self.opened.lines.push_back(line);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(number) = self.opened.number {
            self.server.end_watch(self.opened.table, number);
        }
    }
}
