//! Reading a collection.

use std::sync::Arc;

use kron_api_schema::FieldError;

use crate::call::Call;
use crate::encode;
use crate::options::ListOptions;
use crate::selectors::Selection;
use crate::status::Status;
use crate::store::Store;
use crate::table::{Key, Object};
use crate::verbs::{Reply, Target};

const CONTINUE_EXPIRED: &str = "The provided continue parameter is too old to display a consistent list result. You can \
     start a new list without the continue parameter, or use the continue token in this response to retrieve the \
     remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were \
     created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
const VERSION_EXPIRED: &str = "The resourceVersion for the provided list is too old.";

/// Where a list goes on: the version of its first page (0: the newest) and the last key given.
struct Token {
    version: u64,
    after: Key,
}

impl Token {
    fn write(&self) -> String {
        format!("{}/{}/{}", self.version, self.after.namespace, self.after.name)
    }

    fn read(text: &str) -> Result<Token, Status> {
        let mut parts = text.splitn(3, '/');
        let version = parts.next().and_then(|version| version.parse().ok());
        match (version, parts.next(), parts.next()) {
            (Some(version), Some(namespace), Some(name)) => {
                Ok(Token { version, after: Key { namespace: namespace.into(), name: name.into() } })
            }
            _ => Err(Status::bad_request(format!("continue key is not valid: {text:?}"))),
        }
    }
}

pub(crate) fn selection(options: &ListOptions, target: &Target) -> Result<Selection, Status> {
    Selection::parse(&options.label_selector, &options.field_selector, target.selectable())
}

/// `stale`: the version that reads which allow it are served at.
pub(crate) fn list(
    store: &mut Store,
    call: &Call,
    target: &Target,
    stale: Option<u64>,
) -> Result<Reply, Status> {
    let options = ListOptions::read(call)?;
    let selection = selection(&options, target)?;
    let token = options.continue_token.as_deref().map(Token::read).transpose()?;
    let version = version_to_read(store, &options, token.as_ref(), stale)?;
    let namespace = (!call.namespace.is_empty()).then_some(call.namespace.as_str());
    let current = store.version();

    if version == current
        && token.is_none()
        && options.limit.is_none()
        && let (Some(namespace), Some((label, value))) = (namespace, selection.required_label())
    {
        // The one list that is asked for all the time: the few objects of one owner, out of many.
        let table = store.table_mut(target.table);
        let keys = table.labelled(namespace, label, value);
        let items: Vec<Arc<Object>> = keys.iter().filter_map(|key| table.get(key).cloned()).collect();
        let items = items.iter().filter(|object| selection.matches(&object.value, target.selectable()));
        let body = encode::list(items.map(|object| &object.value), &target.view, current, None);
        return Ok(Reply { code: 200, body, warnings: Vec::new() });
    }

    let table = store.table(target.table);
    let stale_read = token.is_none() && stale == Some(version);
    let readable = if stale_read { version.max(table.oldest()) } else { version };
    let Some(snapshot) = table.at(readable) else {
        return Err(match token {
            Some(token) => {
                let mut status = Status::expired(CONTINUE_EXPIRED);
                let next = Token { version: 0, after: token.after };
                crate::json::set(&mut status.metadata, &["continue"], next.write());
                status
            }
            None => Status::expired(VERSION_EXPIRED),
        });
    };
    let mut matching = snapshot
        .iter(namespace, token.as_ref().map(|token| &token.after))
        .filter(|(_, object)| selection.matches(&object.value, target.selectable()));
    let page: Vec<(&Key, &Arc<Object>)> = match options.limit {
        Some(limit) => matching.by_ref().take(limit).collect(),
        None => matching.by_ref().collect(),
    };
    let remaining = matching.count();
    let next = page.last().filter(|_| remaining > 0).map(|(key, _)| {
        let token = Token { version, after: (*key).clone() };
        // Servers count what remains only where no selector has to be evaluated for it.
        (token.write(), selection.is_everything().then_some(remaining))
    });
    let body = encode::list(page.iter().map(|(_, object)| &object.value), &target.view, version, next);
    Ok(Reply { code: 200, body, warnings: Vec::new() })
}

fn version_to_read(
    store: &Store,
    options: &ListOptions,
    token: Option<&Token>,
    stale: Option<u64>,
) -> Result<u64, Status> {
    let current = store.version();
    if let Some(token) = token {
        if !["", "0"].contains(&options.resource_version.as_str()) {
            return Err(Status::bad_request(
                "specifying resource version is not allowed when using continue",
            ));
        }
        return Ok(if token.version == 0 { current } else { token.version });
    }
    let wanted: u64 = match options.resource_version.as_str() {
        "" => return Ok(current),
        text => text.parse().map_err(|_| {
            crate::options::refuse(
                "ListOptions",
                &[FieldError::invalid("resourceVersion", text, "must be a number")],
            )
        })?,
    };
    if wanted > current {
        return Err(Status::too_large(wanted, current));
    }
    // A limit with a version and no match means that version, unless it is 0.
    let exact = options.version_match == "Exact"
        || (options.version_match.is_empty() && options.limit.is_some() && wanted > 0);
    if exact {
        return Ok(wanted);
    }
    match stale {
        Some(stale) if wanted <= stale => Ok(stale),
        Some(stale) => Err(Status::too_large(wanted, stale)),
        None => Ok(current),
    }
}
