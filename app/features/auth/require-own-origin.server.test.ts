import { describe, expect, test } from "vitest";
import { findOriginFault, isAskedHere, requireOwnOrigin } from "./require-own-origin.server.ts";

const OWN = "https://errors.example.com";

function findFault(headers: Record<string, string>, method = "POST"): string | null {
  return findOriginFault({ method, headers: new Headers(headers) }, [OWN, "http://localhost:3000"], {
    isNamedByProxy: false,
  });
}

describe("a request that changes something", () => {
  test("may come from a page of this server", () => {
    expect(findFault({ origin: OWN })).toBeNull();
    expect(findFault({ origin: "http://localhost:3000" })).toBeNull();
    expect(findFault({ origin: OWN, "sec-fetch-site": "same-origin" })).toBeNull();
  });

  test("may come from a page of this server behind a proxy that hides how it is reached", () => {
    expect(findFault({ origin: "https://hidden.example.com", "sec-fetch-site": "same-origin" })).toBeNull();
  });

  test("may come from the person and no page", () => {
    expect(findFault({ "sec-fetch-site": "none" })).toBeNull();
  });

  test("may come from a tool with a bearer token, wherever it runs", () => {
    expect(findFault({ authorization: "Bearer abc" })).toBeNull();
    expect(findFault({ authorization: "bearer abc", origin: "https://evil.test", cookie: "a=b" })).toBeNull();
  });

  test.each([
    ["another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["another port of the same host", { origin: `${OWN}:8443`, "sec-fetch-site": "same-site" }],
    ["the same host without TLS", { origin: "http://errors.example.com" }],
    ["a name that begins like this one", { origin: `${OWN}.evil.test` }],
    ["a name in other letters, which no browser sends", { origin: "https://ERRORS.example.com" }],
    ["a page that hides its origin", { origin: "null" }],
    ["an origin that is no URL", { origin: "nonsense" }],
    ["no page that it names", {}],
    ["no page that it names, on the same site", { "sec-fetch-site": "same-site" }],
    ["a word that browsers do not send", { "sec-fetch-site": "same-origin, cross-site" }],
    ["a password that the browser adds by itself", { authorization: "Basic abc", origin: "https://evil.test" }],
  ])("is refused from %s", (_, headers) => {
    expect(findFault(headers)).not.toBeNull();
  });

  test.each(["PUT", "PATCH", "DELETE", "ANYTHING"])("is refused by any method: %s", (method) => {
    expect(findFault({ origin: "https://evil.test" }, method)).not.toBeNull();
  });

  test("is refused in words: what came, what was expected and what to set", () => {
    const fault = findFault({ origin: "https://culprit.example.com:8443" });
    expect(fault).toContain("from https://culprit.example.com:8443");
    expect(fault).toContain(`expects ${OWN} or http://localhost:3000`);
    expect(fault).toMatch(/PUBLIC_URL.*TRUST_PROXY=1.*X-Forwarded-Host/);
    expect(findFault({})).toContain("names no origin");
    expect(findFault({ origin: `https://${"e".repeat(30_000)}` })?.length).toBeLessThan(1_000);
  });
});

test.each(["GET", "HEAD", "OPTIONS"])("a request that changes nothing is never asked: %s", (method) => {
  expect(findFault({ origin: "https://evil.test", "sec-fetch-site": "cross-site" }, method)).toBeNull();
});

describe("what the server's own origin is", () => {
  const requireOf = (url: string, headers: HeadersInit, publicUrl: string | null = null, isNamedByProxy = false) =>
    requireOwnOrigin(new Request(url, { method: "POST", headers }), { publicUrl, isNamedByProxy });

  test("is that of the request's address", () => {
    expect(() => requireOf("http://localhost:3000/sign-in", { origin: "http://localhost:3000" })).not.toThrow();
    expect(() => requireOf("http://localhost:3000/sign-in", { origin: "http://localhost:3001" })).toThrow();
  });

  test("is that of PUBLIC_URL, too, whatever path it has and whatever the proxy says", () => {
    const publicUrl = `${OWN}/culprit`;
    expect(() => requireOf("http://10.0.0.7:3000/theme", { origin: OWN }, publicUrl)).not.toThrow();
    expect(() => requireOf("http://10.0.0.7:3000/theme", { origin: "http://10.0.0.7:3000" }, publicUrl)).not.toThrow();
    expect(() => requireOf("http://10.0.0.7:3000/theme", { origin: "https://evil.test" }, publicUrl)).toThrow();
  });

  test("is asked of whom a proxy names as of whom a cookie does, also where the proxy adds a bearer token", () => {
    const api = `${OWN}/api/0/organizations/`;
    expect(() => requireOf(api, { origin: "https://evil.test" })).not.toThrow();
    expect(() => requireOf(api, { origin: "https://evil.test" }, null, true)).toThrow();
    const headers = { origin: "https://evil.test", authorization: "Bearer of-the-proxy", cookie: "culprit_session=x" };
    expect(() => requireOf(`${OWN}/issues`, headers, null, true)).toThrow();
    expect(() => requireOf(`${OWN}/issues`, { ...headers, origin: OWN }, null, true)).not.toThrow();
  });

  test("says so to a page in text, and to the web API in JSON", async () => {
    const refusalOf = (path: string): Response => {
      try {
        requireOf(`${OWN}${path}`, { origin: "https://evil.test", cookie: "culprit_session=x" });
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
      }
      throw new Error("it was not refused");
    };
    const page = refusalOf("/sign-out");
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/plain"]);
    const api = refusalOf("/api/0/projects/default/shop/keys/");
    expect([api.status, await api.json()]).toEqual([403, { detail: expect.stringContaining("https://evil.test") }]);
  });
});

describe("a page that begins something", () => {
  const isAsked = (headers: Record<string, string>) => isAskedHere({ headers: new Headers(headers) }, [OWN]);

  test.each([
    ["from a page of this server", { "sec-fetch-site": "same-origin" }],
    ["by hand", { "sec-fetch-site": "none" }],
    ["from a page of this server, where browsers do not say so", { referer: `${OWN}/settings/security` }],
  ])("is asked for %s", (_, headers) => expect(isAsked(headers)).toBe(true));

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", referer: `${OWN}/` }],
    ["another port of the same host", { "sec-fetch-site": "same-site" }],
    ["another site, where browsers do not say so", { referer: "http://evil.test/" }],
    ["a name that begins like this one", { referer: `${OWN}.evil.test/` }],
    ["a page that hides where it is", {}],
    ["a page whose address cannot be read", { referer: "nonsense" }],
  ])("is refused from %s", (_, headers) => expect(isAsked(headers)).toBe(false));
});
