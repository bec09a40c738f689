//! Who may ask: pages of this server alone, and elsewhere than on this computer only who has the token.
//!
//! A page of another site may have a browser ask us. Its `Origin` gives it away; and a site whose name has been made to lead to this
//! computer by its `Host`, which must be an address or `localhost`.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// What is asked of those who ask.
#[derive(Clone, Default)]
pub(crate) struct Guard {
    /// What they must know.
    pub(crate) token: Option<Arc<str>>,
    /// Where the server listens: browsers send cookies to all ports of a host.
    pub(crate) port: u16,
    /// The port of what may be shown in a frame of the page.
    pub(crate) frames: Option<u16>,
}

/// Refuses what must not be answered.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.refuses(request.uri(), request.headers()) {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => {
            let frames = frames(guard.frames, &request);
            let given = guard.token.as_ref().filter(|_| in_query(request.uri()).is_some());
            let cookie =
                given.map(|token| format!("boxstep-{}={token}; HttpOnly; SameSite=Strict; Path=/", guard.port));
            let mut response = next.run(request).await;
            let headers = response.headers_mut();
            if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
                headers.insert(header::SET_COOKIE, cookie);
            }
            if let Ok(policy) = format!("{CONTENT}{frames}").parse() {
                headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            }
            for (name, value) in POLICY {
                headers.insert(name.clone(), header::HeaderValue::from_static(value));
            }
            response
        }
    }
}

/// The page loads nothing from elsewhere, and nobody shows it in a frame.
const CONTENT: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' blob:; object-src 'none'; frame-ancestors 'none'; \
                       base-uri 'none'; form-action 'none'; frame-src ";

/// What the page may show in a frame: the tablet, at the address at which it was asked itself.
fn frames(port: Option<u16>, request: &Request) -> String {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match (port, name_of(host)) {
        (Some(port), Some(name)) => format!("http://{name}:{port}"),
        _ => "'none'".to_owned(),
    }
}

const POLICY: &[(header::HeaderName, &str)] = &[
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

impl Guard {
    fn refuses(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        let host = text(header::HOST).or_else(|| uri.authority().map(|a| a.as_str())).unwrap_or_default();
        if !is_address(host) {
            return Some("this server is asked by its address, and by no other name\n");
        }
        if text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
            return Some("pages of other sites may not ask this server\n");
        }
        let token = self.token.as_deref()?;
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let own = format!("boxstep-{}=", self.port);
        let in_cookie = cookies.flat_map(|all| all.split(';')).filter_map(|one| one.trim().strip_prefix(&*own));
        let given = in_query(uri).into_iter().chain(in_cookie);
        let known = given.into_iter().any(|given| same(given, token));
        (!known).then_some("open the address with its token, as boxstep has printed it\n")
    }
}

fn in_query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Takes as long whatever differs.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// An IP address or `localhost`, with a port or without.
fn is_address(host: &str) -> bool {
    name_of(host).is_some()
}

/// The same without a port, as it stands in an address.
pub(crate) fn name_of(host: &str) -> Option<&str> {
    let name = match host.strip_prefix('[') {
        Some(rest) => host.get(..rest.find(']')? + 2)?,
        None => host.split(':').next().unwrap_or_default(),
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    (name == "localhost" || bare.parse::<IpAddr>().is_ok()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(guard: &Guard, uri: &str, headers: &[(header::HeaderName, &str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        guard.refuses(&uri.parse().unwrap(), &headers).is_none()
    }

    #[test]
    fn only_its_own_pages_ask_a_server_by_its_address() {
        let open = Guard::default();
        for (host, origin, may) in [
            ("127.0.0.1:80", None, true),
            ("localhost:80", Some("http://localhost:80"), true),
            ("[::1]:80", Some("http://[::1]:80"), true),
            ("127.0.0.1:80", Some("http://evil.example"), false),
            ("127.0.0.1:80", Some("null"), false),
            ("127.0.0.1:80", Some("http://localhost:80"), false),
            ("evil.example:80", None, false),
            ("", None, false),
        ] {
            let mut headers = vec![(header::HOST, host)];
            headers.extend(origin.map(|origin| (header::ORIGIN, origin)));
            assert_eq!(asked(&open, "/ws", &headers), may, "{host} {origin:?}");
        }
    }

    #[test]
    fn a_token_is_given_once_in_the_address_and_then_by_cookie() {
        let guard = Guard { token: Some("s3cret".into()), port: 80, frames: None };
        let host = (header::HOST, "10.0.0.7:80");
        assert!(!asked(&guard, "/", std::slice::from_ref(&host)));
        assert!(!asked(&guard, "/?token=s3cres", std::slice::from_ref(&host)));
        assert!(asked(&guard, "/?a=b&token=s3cret", std::slice::from_ref(&host)));
        assert!(asked(&guard, "/ws", &[host.clone(), (header::COOKIE, "boxstep-1=other; boxstep-80=s3cret")]));
        assert!(!asked(&guard, "/ws", &[host, (header::COOKIE, "boxstep-80=; boxstep-1=s3cret")]));
    }
}
