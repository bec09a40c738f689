//! Access control: a client needs the token, and requests of browsers must come from pages of this server. The token
//! is part of the printed address, which only the user sees; other accounts of the same computer can reach the server
//! as well.
//!
//! A page of another site could make a browser send requests to this server. Such requests are recognized by their
//! `Origin`, and those of a site whose name has been pointed to this computer (DNS rebinding) by their `Host`, which
//! must be an IP address or `localhost`.

use crate::limits::Limits;
use crate::seats::Seat;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

/// The token and the limits of a server.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The token; if it is `None`, the server creates one.
    pub token: Option<Token>,
    /// The limits of the server.
    pub limits: Limits,
}

/// The secret that a client must send. It appears only in the printed address.
#[derive(Clone)]
pub struct Token(Arc<str>);

/// The error for a text that is not a valid token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoToken;

impl fmt::Display for NoToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a token has {SHORTEST} to {LONGEST} letters, digits, `-` and `_`")
    }
}

impl std::error::Error for NoToken {}

/// 22 characters of an alphabet of 64 have at least 128 bits.
const SHORTEST: usize = 22;
const LONGEST: usize = 256;

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        let fits = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if fits && (SHORTEST..=LONGEST).contains(&text.len()) { Ok(Self(text.into())) } else { Err(NoToken) }
    }
}

impl Token {
    /// Creates a token from 128 random bits of the system.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| io::Error::other("the system has no random numbers for a token"))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()))
    }

    /// Compares in constant time.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// Returns the text, as it is part of an address.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

/// The checks of requests.
#[derive(Clone)]
pub(crate) struct Guard {
    /// The token.
    pub(crate) token: Token,
    /// The value of the cookie that browsers get for the token. It is different in each server, so it is useless to a
    /// program that listens at the same address after this server has ended.
    pub(crate) cookie: Token,
    /// The port of the server, as part of the cookie's name: browsers send cookies to all ports of a host.
    pub(crate) port: u16,
    /// The port of pages that may be shown in a frame.
    pub(crate) frames: Option<u16>,
    pub(crate) limits: Limits,
}

/// How a client has authenticated.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Credential {
    /// By the token in the address.
    Address,
    /// By a header or a cookie.
    Header,
}

/// Refuses requests without access.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let content = format!("{CONTENT}{}", frames(guard.frames, &request));
    let may = guard.may(request.uri(), request.headers());
    if let Some(seat) = request.extensions().get::<Arc<Seat>>().filter(|_| may.is_ok()) {
        seat.is_known();
    }
    let mut response = match may {
        Err(refused) => refused.into_response(),
        Ok(Credential::Address) if request.uri().path() == "/" => guard.welcome(),
        Ok(_) => match guard.limits.whole(request).await {
            Ok(request) => next.run(request).await,
            Err(refused) => refused,
        },
    };
    let headers = response.headers_mut();
    if let Ok(policy) = content.parse() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in POLICY {
        headers.insert(name.clone(), header::HeaderValue::from_static(value));
    }
    response
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Refused {
    /// It comes from a page of another site, or for another host name.
    Foreign(&'static str),
    /// The token is missing or wrong.
    Unknown,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Refused::Foreign(why) => (StatusCode::FORBIDDEN, CLOSE, why).into_response(),
            Refused::Unknown => {
                (StatusCode::UNAUTHORIZED, CLOSE, [(header::WWW_AUTHENTICATE, "Bearer")], UNKNOWN).into_response()
            }
        }
    }
}

/// The connection of a refused request is closed.
const CLOSE: [(HeaderName, &str); 1] = [(header::CONNECTION, "close")];

/// Without an icon in the page, a browser would request one.
const WELCOME: &str = r#"<!doctype html><title>Boxstep</title><link rel="icon" href="data:,"><a href="/">to the page</a>
"#;

const UNKNOWN: &str = "This page is only for the user who has started it. Open the whole address that boxstep has printed in the terminal, \
                       http://…/?token=…; each start has another token.\n";

/// The page loads nothing from other sites, and no other page may show it in a frame.
const CONTENT: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' blob:; object-src 'none'; frame-ancestors 'none'; \
                       base-uri 'none'; form-action 'none'; frame-src ";

/// What the page may show in a frame: the tablet, at the host name of the request.
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
    /// Checks the host, the origin and the token or cookie of a request.
    fn may(&self, uri: &Uri, headers: &HeaderMap) -> Result<Credential, Refused> {
        let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        let host = text(header::HOST).or_else(|| uri.authority().map(|a| a.as_str())).unwrap_or_default();
        if name_of(host).is_none() {
            return Err(Refused::Foreign(
                "this server is reached by its IP address or `localhost`, and by no other name\n",
            ));
        }
        if text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
            return Err(Refused::Foreign("pages of other sites may not access this server\n"));
        }
        if in_query(uri).is_some_and(|given| self.token.is(given)) {
            return Ok(Credential::Address);
        }
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let name = self.cookie_name();
        let own = |one: &'_ str| one.trim().strip_prefix(&*name)?.strip_prefix('=').map(|value| self.cookie.is(value));
        let known = bearer.is_some_and(|given| self.token.is(given))
            || cookies.flat_map(|all| all.split(';')).filter_map(own).any(|known| known);
        if known { Ok(Credential::Header) } else { Err(Refused::Unknown) }
    }

    fn cookie_name(&self) -> String {
        format!("boxstep-{}", self.port)
    }

    /// Sets the cookie, and forwards the browser to the address without the token. This is a refresh by the page and
    /// not a redirect, because after a redirect from another site the browser would not send the `SameSite=Strict`
    /// cookie.
    fn welcome(&self) -> Response {
        let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.cookie.text());
        let headers = [
            (header::SET_COOKIE, &*cookie),
            (header::REFRESH, "0; url=/"),
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        ];
        (headers, WELCOME).into_response()
    }
}

fn in_query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Returns the name in a `Host` header: an IP address or `localhost`, without the port. `None` for any other name.
pub(crate) fn name_of(host: &str) -> Option<&str> {
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok();
    let name = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
    let is_address = match name.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|bare| bare.parse::<Ipv6Addr>().is_ok()),
        None => name == "localhost" || name.parse::<Ipv4Addr>().is_ok(),
    };
    is_address.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(uri: &str, headers: &[(HeaderName, &str)]) -> Result<Credential, Refused> {
        let token = |text: &str| text.parse::<Token>().unwrap();
        let (token, cookie) = (token(TOKEN), token(COOKIE));
        let guard = Guard { token, cookie, port: 80, frames: None, limits: Limits::default() };
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        guard.may(&uri.parse().unwrap(), &headers)
    }

    const TOKEN: &str = "0123456789abcdefghijkl";
    const COOKIE: &str = "ABCDEFGHIJKLMNOPQRSTUV";
    const GIVEN: &str = "/ws?a=b&token=0123456789abcdefghijkl";

    #[test]
    fn only_its_own_pages_ask_a_server_by_its_address() {
        for (host, origin, may) in [
            ("127.0.0.1:80", None, true),
            ("10.0.0.7", None, true),
            ("localhost:80", Some("http://localhost:80"), true),
            ("[::1]:80", Some("http://[::1]:80"), true),
            ("[::1]", None, true),
            ("127.0.0.1:80", Some("http://evil.example"), false),
            ("127.0.0.1:80", Some("null"), false),
            ("127.0.0.1:80", Some("http://localhost:80"), false),
            ("evil.example:80", None, false),
            ("", None, false),
            ("[::1]evil", None, false),
            ("[::1]evil:80", None, false),
            ("[::1]:80:80", None, false),
            ("[::1]:evil", None, false),
            ("[::1]@evil.example", None, false),
            ("::1", None, false),
            ("[127.0.0.1]:80", None, false),
            ("[[::1]]:80", None, false),
            ("127.0.0.1:evil", None, false),
            ("127.0.0.1:80:80", None, false),
            ("127.0.0.1:+80", None, false),
            ("127.0.0.1.evil.example", None, false),
            ("localhost.", None, false),
            ("127.0.0.1; script-src *", None, false),
        ] {
            let mut headers = vec![(header::HOST, host)];
            headers.extend(origin.map(|origin| (header::ORIGIN, origin)));
            let refused = asked(GIVEN, &headers).err();
            assert_eq!(refused.is_none(), may, "{host} {origin:?}");
            assert_ne!(refused, Some(Refused::Unknown));
        }
    }

    #[test]
    fn a_token_is_in_the_address_or_a_header_and_a_cookie_is_another_word() {
        let host = (header::HOST, "10.0.0.7:80");
        let by = |uri: &str, name: HeaderName, value: &str| asked(uri, &[host.clone(), (name, value)]);
        let (own, other) = (format!("boxstep-80={COOKIE}"), format!("boxstep-1={COOKIE}"));
        assert_eq!(by(GIVEN, header::ACCEPT, "*/*"), Ok(Credential::Address));
        assert_eq!(by("/ws", header::AUTHORIZATION, &format!("Bearer {TOKEN}")), Ok(Credential::Header));
        assert_eq!(by("/ws", header::COOKIE, &own), Ok(Credential::Header));
        assert_eq!(by("/ws", header::COOKIE, &format!("boxstep-1=other; {own}; a=b")), Ok(Credential::Header));
        for (uri, name, value) in [
            ("/ws", header::ACCEPT, "*/*"),
            ("/ws?token=", header::ACCEPT, "*/*"),
            ("/ws?token=0123456789abcdefghijkm", header::ACCEPT, "*/*"),
            ("/ws?token=0123456789abcdefghijklm", header::ACCEPT, "*/*"),
            ("/ws?xtoken=0123456789abcdefghijkl", header::ACCEPT, "*/*"),
            ("/ws", header::AUTHORIZATION, TOKEN),
            ("/ws", header::AUTHORIZATION, "Bearer "),
            ("/ws", header::AUTHORIZATION, &format!("Bearer {COOKIE}")),
            ("/ws", header::COOKIE, &other),
            ("/ws", header::COOKIE, "boxstep-80="),
            ("/ws", header::COOKIE, &format!("boxstep-80={TOKEN}")),
            ("/ws", header::COOKIE, &format!("boxstep-80{COOKIE}")),
        ] {
            assert_eq!(by(uri, name.clone(), value), Err(Refused::Unknown), "{uri} {name}: {value}");
        }
    }

    #[test]
    fn tokens_are_long_have_no_other_form_in_an_address_and_are_not_shown() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(one.text().parse::<Token>().is_ok() && !one.is(other.text()));
        assert_eq!(format!("{one:?}"), "Token");
        for text in ["", "short", "0123456789abcdefghijk", "0123456789abcdefghij l", "0123456789abcdefghij%6l"] {
            assert_eq!(text.parse::<Token>().err(), Some(NoToken), "{text}");
        }
        assert!("x".repeat(257).parse::<Token>().is_err());
    }
}
