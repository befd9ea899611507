import { describe, expect, test } from "vitest";
import { readPlatformEvent } from "../../../tests/support/grouping-fixtures.ts";
import type { SentryEvent } from "../../domain/event.ts";
import { groupEventV1 } from "./group-event-v1.ts";
import { cspDetails, securityReportDetails, templateDetails } from "./report-key.ts";

const bare: SentryEvent = {
  event_id: "0".repeat(32),
  type: "csp",
  timestamp: 1,
  received: 1,
  platform: "other",
  level: "error",
};
const csp = (fields: Record<string, unknown>) =>
  cspDetails({ ...bare, csp: { document_uri: "https://shop.example/cart", ...fields } })?.map(([, value]) => value);

describe("a violated policy is known by its directive and what was blocked", () => {
  test.each([
    [
      { effective_directive: "img-src", blocked_uri: "https://cdn.example.net/a.png?x=1" },
      ["img-src", "cdn.example.net"],
    ],
    [
      { effective_directive: "img-src", blocked_uri: "http://cdn.example.net:8080/b" },
      ["img-src", "cdn.example.net:8080"],
    ],
    [{ effective_directive: "img-src", blocked_uri: "data" }, ["img-src", "data"]],
    [{ effective_directive: "img-src", blocked_uri: "blob:https://shop.example/1" }, ["img-src", "blob"]],
    [{ effective_directive: "script-src-elem", blocked_uri: "inline" }, ["script-src-elem", "'unsafe-inline'"]],
    [{ effective_directive: "script-src", blocked_uri: "eval" }, ["script-src", "'unsafe-eval'"]],
    [
      { effective_directive: "script-src", blocked_uri: "self", violated_directive: "script-src 'unsafe-inline'" },
      ["script-src", "'unsafe-inline'"],
    ],
    [{ effective_directive: "style-src", blocked_uri: "https://shop.example/x.css" }, ["style-src", "'self'"]],
    [{ violated_directive: "font-src https://fonts.example", blocked_uri: "" }, ["font-src", "'self'"]],
  ])("%o", (fields, expected) => {
    expect(csp(fields)).toEqual(expected);
  });

  test("its path and query do not count, its host does", () => {
    const report = readPlatformEvent("csp");
    const other = (uri: string) => groupEventV1({ ...report, csp: { ...report.csp, blocked_uri: uri } }).hashes;
    expect(other("https://cdn.example.net/other")).toEqual(groupEventV1(report).hashes);
    expect(other("https://evil.example.org/a/b.png")).not.toEqual(groupEventV1(report).hashes);
  });
});

test("other reports are known by their kind and host", () => {
  expect(securityReportDetails({ ...bare, type: "expectct", expectct: { hostname: "Shop.Example" } })).toEqual({
    kind: "expectct",
    details: [["host", "shop.example"]],
  });
  expect(securityReportDetails({ ...bare, type: "hpkp", hpkp: { noted_hostname: "shop.example" } })?.details).toEqual([
    ["host", "shop.example"],
  ]);
  expect(
    securityReportDetails({
      ...bare,
      type: "nel",
      nel: { type: "dns.name_not_resolved" },
      request: { url: "https://shop.example/cart" },
    }),
  ).toEqual({
    kind: "nel",
    details: [
      ["host", "shop.example"],
      ["type", "dns.name_not_resolved"],
    ],
  });
  const staple = groupEventV1({ ...bare, type: "expectstaple", expectstaple: { hostname: "shop.example" } });
  const ct = groupEventV1({ ...bare, type: "expectct", expectct: { hostname: "shop.example" } });
  expect(staple.hashes).not.toEqual(ct.hashes);
});

test("a template is known by its file and line of source", () => {
  expect(templateDetails(readPlatformEvent("template"))).toEqual([
    ["template", "show.html"],
    ["line", "{% bloc total %}"],
  ]);
  expect(groupEventV1(readPlatformEvent("template")).explanation.basis).toBe("template");
});
