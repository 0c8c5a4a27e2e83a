//! Lists with which watches begin, as consistent reads.

use http::{Request, Uri};
use kube::Client;
use kube::client::Body;
use tower::service_fn;

/// A client whose streamed lists show at least what was stored when they were asked for. The library asks for any version: a
/// server whose cache is late may answer with a list that is older than what the watch has shown before.
pub(super) fn consistent(client: Client) -> Client {
    let namespace = client.default_namespace().to_owned();
    let service = service_fn(move |mut request: Request<Body>| {
        if let Some(uri) = without_version(request.uri()) {
            *request.uri_mut() = uri;
        }
        let client = client.clone();
        async move { client.send(request).await }
    });
    Client::new(service, namespace)
}

/// The address of a watch that begins with a list, without the version that allows any.
fn without_version(uri: &Uri) -> Option<Uri> {
    let pairs: Vec<&str> = uri.query()?.split('&').collect();
    if !["sendInitialEvents=true", "resourceVersion=0"].iter().all(|pair| pairs.contains(pair)) {
        return None;
    }
    let kept: Vec<&str> = pairs.into_iter().filter(|pair| *pair != "resourceVersion=0").collect();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(format!("{}?{}", uri.path(), kept.join("&")).parse().ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_watch_that_begins_with_a_list_loses_its_version() {
        let without = |query: &str| {
            let uri = format!("https://server/apis/batch/v1/jobs?{query}").parse().unwrap();
            without_version(&uri).map(|uri| uri.to_string())
        };
        let begun = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        let expected = Some(format!("https://server/apis/batch/v1/jobs?{begun}"));
        assert_eq!(without(&format!("{begun}&resourceVersion=0")), expected);
        assert_eq!(without(&format!("resourceVersion=0&{begun}")), expected);
        for query in ["watch=true&resourceVersion=0", "watch=true&resourceVersion=7", "limit=50", begun] {
            assert_eq!(without(query), None, "{query}");
        }
    }
}
