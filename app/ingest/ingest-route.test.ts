import { describe, expect, test } from "vitest";
import { parseIngestRoute, parsePlainOtlpRoute } from "./ingest-route.ts";

describe("parseIngestRoute", () => {
  test.each([
    ["/api/1/envelope/", "envelope", 1],
    ["/api/1/envelope", "envelope", 1],
    ["//api//1//envelope//", "envelope", 1],
    ["/some/prefix/api/42/envelope/", "envelope", 42],
    ["/api/of/proxy/api/42/envelope/", "envelope", 42],
    ["http://errors.example.com/api/7/envelope/", "envelope", 7],
    ["/api/1/store/", "store", 1],
    ["/api/store/", "store", null],
    ["/api/store", "store", null],
    ["/api/1/security/", "security", 1],
    ["/api/1/csp-report/", "security", 1],
    ["/api/1/nel/", "security", 1],
    ["/api/embed/error-page/?dsn=https://k@host/1", "dialog", null],
    ["/some/prefix/api/embed/error-page", "dialog", null],
    ["/api/abc/envelope/", "bad-project", null],
    ["/api/00/store/", "bad-project", null],
    ["/api/1/made-up/", "unknown", 1],
    ["/api/1/envelope/more/", "unknown", 1],
    ["/api/1/", "unknown", 1],
    ["/api/1", "unknown", 1],
  ])("reads %s as %s of %s", (url, kind, projectId) => {
    expect(parseIngestRoute(url)).toMatchObject({ kind, projectId });
  });

  test.each([
    "/",
    "",
    "/issues/1",
    "/api/",
    "/api",
    "/api/0/projects/",
    "/api/0/envelope/",
    "/prefix/api/0/organizations/x/stats_v2/",
    "/api/embed/",
    "/api/embed/error-page/more/",
    "/api/embed/error-pages/?dsn=x",
    "/page?next=/api/1/envelope/",
    "/apis/1/envelope/",
  ])("leaves %s to others", (url) => {
    expect(parseIngestRoute(url)).toBeNull();
  });

  test("cuts the query off", () => {
    expect(parseIngestRoute("/api/1/envelope/?sentry_key=x&a=/b/")).toMatchObject({
      kind: "envelope",
      query: "sentry_key=x&a=/b/",
    });
    expect(parseIngestRoute("/api/1/envelope?x")).toMatchObject({ kind: "envelope", query: "x" });
  });

  test.each([
    ["/api/1/unreal/KEY/", "unreal", "error", "KEY"],
    ["/api/1/integration/otlp/v1development/profiles", "otlp", "span", null],
    ["/api/1/integration/vercel/logs/", "integration", "log_item", null],
    ["/api/1/events/abc/attachments/", "attachments", "attachment", null],
    ["/api/1/upload/", "upload", "attachment", null],
  ])("knows that %s is not supported, and by what name", (url, endpoint, category, pathKey) => {
    expect(parseIngestRoute(url)).toMatchObject({ kind: "unsupported", endpoint, category, pathKey });
  });

  test.each([
    ["/api/1/integration/otlp/v1/traces", "traces", "span"],
    ["/api/1/otlp/v1/traces/", "traces", "span"],
    ["/api/1/integration/otlp/v1/logs/", "logs", "log_item"],
    ["/api/1/integration/otlp/v1/metrics", "metrics", "trace_metric"],
  ])("reads %s as OTLP %s", (url, otlp, category) => {
    expect(parseIngestRoute(url)).toMatchObject({ kind: "otlp", otlp, category, projectId: 1 });
  });

  test.each([
    ["/api/1/cron/nightly/", { slug: "nightly", word: null }, null],
    ["/api/1/cron/night%20ly/KEY/?status=ok", { slug: "night ly", word: null }, "KEY"],
    ["/api/1/cron/nightly/KEY/137", { slug: "nightly", word: "137" }, "KEY"],
  ])("reads %s as a check-in", (url, cron, pathKey) => {
    expect(parseIngestRoute(url)).toMatchObject({ kind: "cron", category: "monitor", cron, pathKey });
  });

  test("knows no check-in without a monitor, or with more in its path", () => {
    for (const url of ["/api/1/cron/", "/api/1/cron/a/KEY/0/more"])
      expect(parseIngestRoute(url)).toMatchObject({ kind: "unknown" });
  });

  test("takes OTLP without a project in its path", () => {
    expect(parsePlainOtlpRoute("/v1/logs?sentry_key=x")).toMatchObject({
      otlp: "logs",
      projectId: null,
      query: "sentry_key=x",
    });
    for (const url of ["/v1/profiles", "/v1/traces/more", "/v1/trace?x=1", "/v1development/profiles"])
      expect(parsePlainOtlpRoute(url)).toMatchObject({ kind: "unsupported", endpoint: "otlp", projectId: null });
    for (const url of ["/x/v1/traces", "/v1", "/v1/", "/v2/traces"]) expect(parsePlainOtlpRoute(url)).toBeNull();
  });
});
