import { describe, expect, test } from "vitest";
import { securityReportKind, toSecurityEvents } from "./security-report.ts";

const CONTEXT = {
  userAgent: "Firefox",
  clientAddress: "192.0.2.1",
  release: "app@1.0",
  environment: "production",
  receivedAt: 1_767_000_000_000,
};

const LEGACY_CSP = {
  "csp-report": {
    "document-uri": "https://example.com/page",
    referrer: "https://example.com/",
    "violated-directive": "img-src 'self'",
    "effective-directive": "img-src",
    "original-policy": "default-src 'self'",
    "blocked-uri": "https://cdn.example.org/a.png",
    "status-code": "200",
    "line-number": 12,
    disposition: "enforce",
  },
};

const REPORTING_CSP = {
  type: "csp-violation",
  age: 1500,
  url: "https://example.com/page",
  user_agent: "Chrome",
  body: {
    documentURL: "https://example.com/page",
    effectiveDirective: "script-src-elem",
    blockedURL: "inline",
    originalPolicy: "default-src 'self'",
    sourceFile: "https://example.com/a.js",
    lineNumber: 3,
    columnNumber: 4,
    sample: "alert(1)",
    statusCode: 200,
    disposition: "report",
  },
};

const EXPECT_CT = {
  "expect-ct-report": {
    "date-time": "2025-12-29T09:20:00Z",
    hostname: "www.example.com",
    port: 443,
    scheme: "https",
    "effective-expiration-date": "2026-05-01T12:40:50Z",
    "served-certificate-chain": ["-----BEGIN CERTIFICATE-----"],
    scts: [{ version: 1, status: "invalid", source: "embedded", serialized_sct: "x" }],
    "failure-mode": "enforce",
    "test-report": false,
  },
};

const HPKP = {
  "date-time": "2025-12-29T09:20:00Z",
  hostname: "example.com",
  port: 8443,
  "include-subdomains": true,
  "noted-hostname": "example.com",
  "known-pins": ['pin-sha256="x"'],
};

const NEL = {
  type: "network-error",
  age: 0,
  url: "https://example.com/api",
  user_agent: "Chrome",
  body: {
    elapsed_time: 12,
    method: "GET",
    phase: "connection",
    type: "tcp.refused",
    status_code: 0,
    sampling_fraction: 1,
  },
};

describe("securityReportKind", () => {
  test.each([
    ["csp", LEGACY_CSP],
    ["csp", REPORTING_CSP],
    ["expectct", EXPECT_CT],
    ["expectstaple", { "expect-staple-report": { hostname: "example.com" } }],
    ["hpkp", HPKP],
    ["nel", NEL],
    [null, { "csp-report": { "effective-directive": "made-up-src" } }],
    [null, { "csp-report": {} }],
    [null, { "csp-report": null }],
    [null, { type: "csp-violation", body: { effectiveDirective: "constructor" } }],
    [null, { type: "deprecation", body: {} }],
    [null, {}],
    [null, null],
    [null, [LEGACY_CSP]],
  ])("is %s", (kind, report) => {
    expect(securityReportKind(report)).toBe(kind);
  });

  test("falls back to the violated directive, of which the first word counts", () => {
    expect(securityReportKind({ "csp-report": { "violated-directive": "IMG-SRC https: 'self'" } })).toBe("csp");
  });
});

describe("toSecurityEvents", () => {
  test("makes an event of a legacy policy report", () => {
    expect(toSecurityEvents(LEGACY_CSP, CONTEXT)).toEqual([
      {
        type: "csp",
        logger: "csp",
        platform: "other",
        level: "error",
        timestamp: 1_767_000_000,
        release: "app@1.0",
        environment: "production",
        user: { ip_address: "192.0.2.1" },
        logentry: { formatted: "Blocked 'image' from 'cdn.example.org'" },
        culprit: "img-src cdn.example.org",
        csp: {
          effective_directive: "img-src",
          blocked_uri: "https://cdn.example.org/a.png",
          document_uri: "https://example.com/page",
          referrer: "https://example.com/",
          violated_directive: "img-src 'self'",
          original_policy: "default-src 'self'",
          status_code: "200",
          line_number: 12,
          disposition: "enforce",
        },
        tags: [
          ["effective-directive", "img-src"],
          ["blocked-uri", "https://cdn.example.org/a.png"],
        ],
        request: {
          url: "https://example.com/page",
          headers: [
            ["User-Agent", "Firefox"],
            ["Referer", "https://example.com/"],
          ],
        },
      },
    ]);
  });

  test("makes an event of a report of the Reporting API, with its age and its own user agent", () => {
    const [event] = toSecurityEvents([REPORTING_CSP], {
      ...CONTEXT,
      release: null,
      environment: null,
      clientAddress: null,
    });
    expect(event).toMatchObject({
      timestamp: 1_766_999_998.5,
      logentry: { formatted: "Blocked unsafe inline 'script'" },
      culprit: "script-src-elem 'unsafe-inline'",
      csp: {
        effective_directive: "script-src-elem",
        source_file: "https://example.com/a.js",
        script_sample: "alert(1)",
      },
      request: { url: "https://example.com/page", headers: [["User-Agent", "Chrome"]] },
    });
    expect(event).not.toHaveProperty("release");
    expect(event).not.toHaveProperty("user");
  });

  test("takes a missing blocked URI for the page itself", () => {
    const [event] = toSecurityEvents({ "csp-report": { "effective-directive": "script-src" } }, CONTEXT);
    expect(event).toMatchObject({ csp: { blocked_uri: "self" }, culprit: "script-src 'self'" });
  });

  test("makes events of certificate reports, at the time they name", () => {
    expect(toSecurityEvents(EXPECT_CT, CONTEXT)[0]).toMatchObject({
      type: "expectct",
      timestamp: Date.UTC(2025, 11, 29, 9, 20) / 1000,
      logentry: { formatted: "Expect-CT failed for 'www.example.com'" },
      expectct: { hostname: "www.example.com", failure_mode: "enforce", scts: [{ version: 1, status: "invalid" }] },
      request: { url: "https://www.example.com/" },
    });
    expect(toSecurityEvents(HPKP, CONTEXT)[0]).toMatchObject({
      type: "hpkp",
      logentry: { formatted: "Public key pinning validation failed for 'example.com'" },
      hpkp: { known_pins: ['pin-sha256="x"'], include_subdomains: true },
      request: { url: "https://example.com:8443/" },
    });
    expect(toSecurityEvents({ "expect-staple-report": { hostname: "a" } }, CONTEXT)[0]).toMatchObject({
      type: "expectstaple",
      logentry: { formatted: "Expect-Staple failed for 'a'" },
    });
  });

  test("makes an event of each network error", () => {
    expect(toSecurityEvents([NEL, NEL], CONTEXT)).toHaveLength(2);
    expect(toSecurityEvents([NEL], CONTEXT)[0]).toMatchObject({
      type: "nel",
      logger: "nel",
      logentry: { formatted: "Network error 'tcp.refused' for 'example.com'" },
      nel: { phase: "connection", type: "tcp.refused" },
      contexts: { nel: { phase: "connection", error_type: "tcp.refused" } },
      request: { url: "https://example.com/api" },
    });
  });

  test("leaves out what it does not know, and reads at most 100 of a list", () => {
    expect(toSecurityEvents([{ type: "deprecation", body: {} }, null, NEL], CONTEXT)).toHaveLength(1);
    expect(toSecurityEvents(Array(100).fill(NEL), CONTEXT)).toHaveLength(100);
    expect(toSecurityEvents(Array(101).fill(NEL), CONTEXT)).toHaveLength(100);
  });

  test("bounds what it copies", () => {
    let nested: unknown = "deep";
    for (let depth = 0; depth < 10_000; depth++) nested = [nested];
    const report = {
      "expect-ct-report": {
        hostname: "h".repeat(10_000),
        scts: nested,
        "served-certificate-chain": Array(1000).fill("x"),
      },
    };
    const expectct = toSecurityEvents(report, CONTEXT)[0]?.expectct;
    expect(JSON.stringify(expectct).length).toBeLessThan(10_000);
  });
});
