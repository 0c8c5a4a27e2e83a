//! From a request URI to what is asked for.

use http::Method;

use crate::call::Verb;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Resource(Path),
    /// `/version`
    Version,
    Nothing,
}

/// The path of a collection, an object or a subresource.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Path {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Route {
    pub(crate) fn parse(path: &str) -> Route {
        let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(unescape).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts.as_slice() {
            ["version"] => Route::Version,
            ["api", version, rest @ ..] => Route::resource("", version, rest),
            ["apis", group, version, rest @ ..] => Route::resource(group, version, rest),
            _ => Route::Nothing,
        }
    }

    fn resource(group: &str, version: &str, rest: &[&str]) -> Route {
        // A path below a namespace is a resource in it, unless it is a subresource of the namespace itself.
        let (namespace, rest) = match rest {
            ["namespaces", _] | ["namespaces", _, "status" | "finalize"] => ("", rest),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
            _ => ("", rest),
        };
        let (resource, name, subresource) = match rest {
            [resource] => (*resource, "", ""),
            [resource, name] => (*resource, *name, ""),
            [resource, name, subresource] => (*resource, *name, *subresource),
            _ => return Route::Nothing,
        };
        Route::Resource(Path {
            group: group.into(),
            version: version.into(),
            resource: resource.into(),
            subresource: subresource.into(),
            namespace: namespace.into(),
            name: name.into(),
        })
    }
}

impl Path {
    /// The verb of a method on this path, if it has one.
    pub(crate) fn verb(&self, method: &Method, watch: bool) -> Option<Verb> {
        let collection = self.name.is_empty();
        Some(match (method, collection) {
            (&Method::GET, _) if watch => Verb::Watch,
            (&Method::GET, true) => Verb::List,
            (&Method::GET, false) => Verb::Get,
            (&Method::POST, true) => Verb::Create,
            (&Method::PUT, false) => Verb::Update,
            (&Method::PATCH, false) => Verb::Patch,
            (&Method::DELETE, false) => Verb::Delete,
            (&Method::DELETE, true) => Verb::DeleteCollection,
            _ => return None,
        })
    }
}

fn unescape(part: &str) -> String {
    if !part.contains('%') {
        return part.to_owned();
    }
    // The one decoder at hand reads queries, where a plus is a blank; in a path it is a plus.
    let part = part.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(part.as_bytes()).next().map(|(text, _)| text.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> Path {
        match Route::parse(path) {
            Route::Resource(path) => path,
            other => panic!("{path} is {other:?}"),
        }
    }

    #[test]
    fn paths_are_read() {
        let job = path("/apis/batch/v1/namespaces/default/jobs/a.b/status");
        assert_eq!(
            (job.group.as_str(), job.version.as_str(), job.resource.as_str()),
            ("batch", "v1", "jobs")
        );
        assert_eq!(
            (job.namespace.as_str(), job.name.as_str(), job.subresource.as_str()),
            ("default", "a.b", "status")
        );
        let all = path("/apis/kron.io/v1alpha1/kronjobs");
        assert_eq!((all.resource.as_str(), all.namespace.as_str(), all.name.as_str()), ("kronjobs", "", ""));
        let namespace = path("/api/v1/namespaces/default");
        assert_eq!((namespace.resource.as_str(), namespace.name.as_str()), ("namespaces", "default"));
        let status = path("/api/v1/namespaces/default/status");
        assert_eq!((status.name.as_str(), status.subresource.as_str()), ("default", "status"));
        let events = path("/api/v1/namespaces/default/events");
        assert_eq!((events.resource.as_str(), events.namespace.as_str()), ("events", "default"));
        assert_eq!(path("/api/v1/events/a%20b+c").name, "a b+c");
        for nothing in ["/apis/batch/v1", "/openapi/v3", "/metrics"] {
            assert_eq!(Route::parse(nothing), Route::Nothing);
        }
    }

    #[test]
    fn verbs_follow_from_methods() {
        let (one, all) = (path("/api/v1/events/a"), path("/api/v1/events"));
        assert_eq!(one.verb(&Method::GET, false), Some(Verb::Get));
        assert_eq!(all.verb(&Method::GET, false), Some(Verb::List));
        assert_eq!(all.verb(&Method::GET, true), Some(Verb::Watch));
        assert_eq!(all.verb(&Method::DELETE, false), Some(Verb::DeleteCollection));
        assert_eq!(one.verb(&Method::POST, false), None);
        assert_eq!(all.verb(&Method::PUT, false), None);
    }
}
