//! Requests, buffers and lists have a largest size.

use kron_wasm::{LISTED, REQUEST_BYTES};
use serde_json::json;

use crate::Host;

#[test]
fn a_list_has_a_longest_length() {
    let mut host = Host::default();
    let job = host.job("web/ping", "* * * * *");
    let mut of_minutes = |ask: &str, minutes: usize| {
        host.ask(json!({"ask": ask, "job": job, "from": 0, "until": minutes * 60}))
    };
    for ask in ["starts", "periods"] {
        assert_eq!(of_minutes(ask, LISTED).unwrap().as_array().unwrap().len(), LISTED);
        let error = of_minutes(ask, LISTED + 1).unwrap_err();
        let help = "ask for fewer, or for a shorter range";
        assert_eq!((&error["code"], &error["help"]), (&json!("limit"), &json!(help)));
        assert!(error["message"].as_str().unwrap().ends_with(&format!("; {help}")));
    }
}

#[test]
fn a_search_has_a_most_work() {
    let mut host = Host::default();
    let job = host.job("barren", "* * * * * @win(after,24h) @only(date=2026-03-01)");
    for reverse in [false, true] {
        let ask = json!({"ask": "starts", "job": job, "from": 0, "until": 4e9, "reverse": reverse});
        assert_eq!(host.ask(ask).unwrap_err()["code"], "limit");
    }
    // An open range has the limits of a search, and all its starts count together.
    let monthly = host.job("monthly", "* * * * * @only(dom=1;hours=0)");
    let ask = json!({"ask": "starts", "job": monthly, "from": 0, "count": 500});
    assert_eq!(host.ask(ask).unwrap_err()["code"], "limit");
    let ask = json!({"ask": "starts", "job": monthly, "from": 0, "count": 60});
    assert_eq!(host.ask(ask).unwrap().as_array().unwrap().len(), 60);
}

#[test]
fn a_window_lies_in_a_most_number_of_periods() {
    let mut host = Host::default();
    let mut parse = |ask: &str, text: &str| {
        let mut request = json!({"ask": ask, "name": "a", "text": text});
        if ask == "lint" {
            request["at"] = json!(0);
        }
        host.ask(request)
    };
    for ask in ["job", "lint"] {
        assert!(parse(ask, "* * * * * @win(after,1666h)").is_ok());
        let error = parse(ask, "* * * * * @win(around,1667h)").unwrap_err();
        assert_eq!((&error["code"], &error["help"]), (&json!("limit"), &json!("make the window shorter")));
        assert!(parse(ask, "@daily @win(after,8784h)").is_ok());
    }
}

#[test]
fn a_request_has_a_longest_length() {
    let mut host = Host::default();
    assert_eq!(host.instance.allocate(REQUEST_BYTES + 1), 0);
    let buffer = host.instance.allocate(REQUEST_BYTES);
    assert_ne!(buffer, 0);
    for (address, length) in [(buffer, REQUEST_BYTES + 1), (buffer + 1, 1), (0, 0)] {
        host.instance.call(address, length);
        assert_eq!(host.answer().unwrap_err()["code"], "request");
    }
    host.instance.buffer(buffer).unwrap()[0] = 0xff;
    host.instance.call(buffer, 1);
    assert_eq!(host.answer().unwrap_err()["code"], "request");
    host.instance.free(buffer);
    host.instance.call(buffer, 1);
    assert_eq!(host.answer().unwrap_err()["code"], "request");
}
