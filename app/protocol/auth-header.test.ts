import { describe, expect, test } from "vitest";
import { joinEnvelopeDsn, resolveCredentials } from "./auth-header.ts";

const KEY = "9ec79c33ec9942ab8353589fcb2e04dc";
const OTHER = "0123456789abcdef0123456789abcdef";
const found = (publicKey: string, client: string | null = null, projectId: number | null = null) => ({
  ok: true,
  credentials: { publicKey, client, projectId },
});

describe("each of the five places", () => {
  test("X-Sentry-Auth", () => {
    const xSentryAuth = `Sentry sentry_version=7, sentry_client=sentry.python/2.1.0, sentry_key=${KEY}, sentry_secret=x`;
    expect(resolveCredentials({ xSentryAuth })).toEqual(found(KEY, "sentry.python/2.1.0"));
  });

  test("X-Sentry-Auth in any case, without spaces, without prefix, percent-encoded or quoted", () => {
    expect(resolveCredentials({ xSentryAuth: `SENTRY sentry_key=${KEY},sentry_version=7` })).toEqual(found(KEY));
    expect(resolveCredentials({ xSentryAuth: `sentry_version=7,sentry_key=${KEY}` })).toEqual(found(KEY));
    expect(resolveCredentials({ xSentryAuth: `Sentry sentry_key=${KEY}, sentry_client=raven%2Fjs` })).toEqual(
      found(KEY, "raven/js"),
    );
    expect(resolveCredentials({ xSentryAuth: `Sentry sentry_key="${KEY}"` })).toEqual(found(KEY));
    expect(resolveCredentials({ xSentryAuth: `Sentry future=1, sentry_timestamp=5, sentry_key=${KEY}` })).toEqual(
      found(KEY),
    );
  });

  test("Authorization, as Sentry and as Basic", () => {
    expect(resolveCredentials({ authorization: `Sentry sentry_key=${KEY}` })).toEqual(found(KEY));
    expect(resolveCredentials({ authorization: `Basic ${btoa(`${KEY}:`)}` })).toEqual(found(KEY));
    expect(resolveCredentials({ authorization: `basic ${btoa(KEY)}` })).toEqual(found(KEY));
  });

  test("the query", () => {
    const query = `sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F9.0.0`;
    expect(resolveCredentials({ query })).toEqual(found(KEY, "sentry.javascript.browser/9.0.0"));
  });

  test("the path", () => {
    expect(resolveCredentials({ pathKey: KEY })).toEqual(found(KEY));
  });

  test("the dsn of the envelope header, which also names the project", () => {
    expect(resolveCredentials({ envelopeDsn: `https://${KEY}@host/42` })).toEqual(found(KEY, null, 42));
  });
});

describe("several places at once", () => {
  test("the first in the table counts when they agree", () => {
    const places = {
      xSentryAuth: `Sentry sentry_key=${KEY}, sentry_client=a/1`,
      query: `sentry_key=${KEY}&sentry_client=b/2`,
    };
    expect(resolveCredentials(places)).toEqual(found(KEY, "a/1"));
  });

  test.each([
    ["header and query", { xSentryAuth: `Sentry sentry_key=${KEY}`, query: `sentry_key=${OTHER}` }],
    ["header and envelope", { xSentryAuth: `Sentry sentry_key=${KEY}`, envelopeDsn: `https://${OTHER}@host/1` }],
    ["query and path", { query: `sentry_key=${KEY}`, pathKey: OTHER }],
  ])("different keys in %s are a conflict", (_, places) => {
    expect(resolveCredentials(places)).toMatchObject({ ok: false, code: "conflicting-keys" });
  });

  test("a broken place does not hide a good one", () => {
    expect(resolveCredentials({ xSentryAuth: "Sentry nonsense", query: `sentry_key=${KEY}` })).toEqual(found(KEY));
    expect(resolveCredentials({ authorization: "Bearer of-a-proxy", query: `sentry_key=${KEY}` })).toEqual(found(KEY));
  });
});

describe("refusals", () => {
  test("nothing anywhere is missing, also with somebody else's bearer token", () => {
    expect(resolveCredentials({})).toMatchObject({ ok: false, code: "missing-credentials" });
    expect(resolveCredentials({ authorization: "Bearer x", query: "page=1" })).toMatchObject({
      code: "missing-credentials",
    });
  });

  test.each([
    ["a header without key", { xSentryAuth: "Sentry sentry_version=7" }],
    ["a key with other characters", { xSentryAuth: "Sentry sentry_key=a-b" }],
    ["Basic that is not base64", { authorization: "Basic ***" }],
    ["an empty key in the query", { query: "sentry_key=" }],
    ["an invalid dsn", { envelopeDsn: { not: "text" } }],
  ])("%s is invalid", (_, places) => {
    expect(resolveCredentials(places)).toMatchObject({ ok: false, code: "invalid-credentials" });
  });

  test("protocol versions up to 8 pass, 9 does not", () => {
    expect(resolveCredentials({ query: `sentry_key=${KEY}&sentry_version=8` })).toEqual(found(KEY));
    expect(resolveCredentials({ query: `sentry_key=${KEY}&sentry_version=7.0` })).toEqual(found(KEY));
    expect(resolveCredentials({ query: `sentry_key=${KEY}&sentry_version=9` })).toMatchObject({
      code: "unsupported-version",
    });
  });
});

describe("joinEnvelopeDsn", () => {
  const missing = resolveCredentials({});

  test("fills in for a request without credentials", () => {
    expect(joinEnvelopeDsn(missing, `https://${KEY}@host/42`)).toEqual(found(KEY, null, 42));
  });

  test("leaves the request's credentials alone when the key is the same, or the dsn is no DSN", () => {
    const earlier = resolveCredentials({ query: `sentry_key=${KEY}` });
    expect(joinEnvelopeDsn(earlier, `https://${KEY}@elsewhere/7`)).toBe(earlier);
    expect(joinEnvelopeDsn(earlier, "nonsense")).toBe(earlier);
    expect(joinEnvelopeDsn(missing, undefined)).toBe(missing);
  });

  test("does not mend a conflict", () => {
    const conflict = resolveCredentials({ query: `sentry_key=${KEY}`, pathKey: OTHER });
    expect(joinEnvelopeDsn(conflict, `https://${KEY}@host/1`)).toBe(conflict);
  });
});
