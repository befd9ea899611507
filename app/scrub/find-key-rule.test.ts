import { describe, expect, test } from "vitest";
import { findCookieRule, findKeyRule, findNameRule, isOpaque } from "./find-key-rule.ts";

describe("keys that hold secrets", () => {
  test.each([
    ["password", "@password"],
    ["passwd", "@password"],
    ["userPassword", "@password"],
    ["password_confirmation", "@password"],
    ["passwordHash", "@password"],
    ["db_pwd", "@password"],
    ["DB_PASS", "@password"],
    ["passphrase", "@password"],
    ["secret", "@secret"],
    ["client_secret", "@secret"],
    ["SECRET_KEY", "@secret"],
    ["AWS_SECRET_ACCESS_KEY", "@secret"],
    ["api_key", "@apikey"],
    ["apiKey", "@apikey"],
    ["apikey", "@apikey"],
    ["X-Api-Key", "@apikey"],
    ["STRIPE_API_KEY", "@apikey"],
    ["private_key", "@privatekey"],
    ["privateKey", "@privatekey"],
    ["auth", "@authorization"],
    ["basic_auth", "@authorization"],
    ["Authorization", "@authorization"],
    ["Proxy-Authorization", "@authorization"],
    ["HTTP_AUTHORIZATION", "@authorization"],
    ["http.request.header.authorization", "@authorization"],
    ["jwt", "@authorization"],
    ["credentials", "@credentials"],
    ["aws_credentials", "@credentials"],
    ["token", "@token"],
    ["access_token", "@token"],
    ["accessToken", "@token"],
    ["refreshToken", "@token"],
    ["access_tokens", "@token"],
    ["X-Auth-Token", "@token"],
    ["csrf_token", "@csrf"],
    ["csrfmiddlewaretoken", "@csrf"],
    ["X-CSRF-Token", "@csrf"],
    ["XSRF-TOKEN", "@csrf"],
    ["session", "@session"],
    ["session_id", "@session"],
    ["sessionid", "@session"],
    ["PHPSESSID", "@session"],
    ["JSESSIONID", "@session"],
    ["ASP.NET_SessionId", "@session"],
    ["connect.sid", "@session"],
    ["Cookie", "@cookie"],
    ["Set-Cookie", "@cookie"],
    ["HTTP_COOKIE", "@cookie"],
    ["card_number", "@creditcard"],
    ["cvv", "@creditcard"],
  ])("%s: %s", (key, rule) => {
    expect(findKeyRule(key)?.rule).toBe(rule);
  });
});

describe("keys that only look like it", () => {
  test.each([
    ...["author", "authors", "authority", "authenticated", "auth_method", "auth_type", "oauth_provider"],
    ...[
      "tokenize_count",
      "token_count",
      "tokens",
      "input_tokens",
      "max_tokens",
      "total_tokens",
      "token_type",
      "token_url",
    ],
    ...["next_page_token", "nextToken", "cancellationToken", "eos_token", "tokenizer"],
    ...["session_count", "sessions", "session_timeout", "sessionStorage", "obsession"],
    ...["passenger", "bypass", "compass", "passed", "pass", "pwd", "PWD", "OLDPWD", "passwordless", "has_password"],
    ...["password_length", "min_password_length", "password_changed_at", "password_reset_url"],
    ...["secretary", "secret_name", "key", "keys", "keyboard", "monkey", "public_key", "primary_key", "cache_key"],
    ...[
      "sentry_key",
      "access_key_id",
      "token_id",
      "cookie_enabled",
      "cookieEnabled",
      "cookie_name",
      "card",
      "dashboard",
    ],
    ...["discard", "side", "inside", "residue", "sid", "message", "url", "trace_id", "event_id", "replay_id"],
    ...["with_credentials", "accessibility", "csrf_enabled", "", "__proto__", "constructor"],
  ])("%s", (key) => {
    expect(findKeyRule(key)).toBeNull();
  });
});

test.each(["password", "my_client_secret", "session_token_of_user", "a_harmless_long_name", "x"])(
  "the name %s in a text has the rule of the key, however often it comes",
  (name) => {
    for (let time = 0; time < 3; time++) expect(findNameRule(name)).toEqual(findKeyRule(name));
    const cut = `${"-".repeat(100)}${name}_of_text=1`.slice(100, 100 + name.length + "_of_text".length);
    for (let time = 0; time < 3; time++) expect(findNameRule(cut)).toEqual(findKeyRule(`${name}_of_text`));
  },
);

test.each([
  ["sessionid", "@session-cookie"],
  ["PHPSESSID", "@session-cookie"],
  ["connect.sid", "@session-cookie"],
  ["laravel_session", "@session-cookie"],
  ["remember_me", "@session-cookie"],
  ["auth", "@session-cookie"],
  ["XSRF-TOKEN", "@session-cookie"],
  ["api_key", "@apikey"],
  ["theme", null],
  ["_ga", null],
  ["lang", null],
])("the cookie %s: %s", (name, rule) => {
  expect(findCookieRule(name)).toBe(rule);
});

test("an identifier is one long word with digits", () => {
  expect(isOpaque("9ec79c33ec9942ab8353589fcb2e04dc")).toBe(true);
  expect(isOpaque("<sqlalchemy.orm.Session object at 0x7f00>")).toBe(false);
  expect(isOpaque("morning")).toBe(false);
});
