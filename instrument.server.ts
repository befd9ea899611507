import { limitBaggage } from "./app/sentry/baggage.ts";
import { hideSecretPaths, hideSecrets } from "./app/sentry/hide-secret-paths.ts";
import type { Monitoring } from "./app/sentry/monitoring.server.ts";
import { createReportLimiter } from "./app/sentry/report-limiter.ts";
import { findSource } from "./app/source-stack.server.ts";

// Loaded before everything (`node --import`), as instrumentation is. It only prepares, because the server accepts events
// before it loads the SDK: `startMonitoring` is called when pages are about to be served.

type ErrorEvent = Parameters<NonNullable<NonNullable<Parameters<Sdk["init"]>[0]>["beforeSend"]>>[0];

export type Sdk = typeof import("./app/sentry/sdk.server.ts");

export interface MonitoringOptions {
  /** The SDK as the build has bundled it, or from its package. */
  loadSdk: () => Promise<Sdk>;
  browser: Monitoring["browser"];
  /** Takes an envelope of our own straight to ingest; null: by HTTP to where the DSN says. */
  deliver: ((envelope: Uint8Array) => Promise<{ status: number; headers: Record<string, string> }>) | null;
  onDropped: (reason: string) => void;
}

/**
 * The default integrations of the SDK that we use. Its HTTP hook costs three quarters of the ingest rate, even for ignored paths. Its
 * database and AI integrations patch packages that we do not have. And the process has its own code for fatal errors (server.ts).
 */
const INTEGRATIONS = new Set([
  "InboundFilters",
  "EventFilters",
  "FunctionToString",
  "LinkedErrors",
  "RequestData",
  "NodeSystemError",
  "ContextLines",
  "Context",
  "Modules",
  "LowQualityTransactionsFilter",
]);

/** Headers that say who someone is, and must not leave the process. */
const PRIVATE_HEADERS = ["authorization", "cookie", "proxy-authorization", "x-sentry-auth"];

/** Attribute of traces of `recordWork`. */
const WORK = "culprit.work";
/** `SPAN_STATUS_ERROR` of the SDK. */
const FAILED = 2;

/** Starts the SDK. Call it once. */
export async function startMonitoring({
  loadSdk,
  browser,
  deliver,
  onDropped,
}: MonitoringOptions): Promise<Monitoring> {
  const Sentry = await loadSdk();
  const limiter = createReportLimiter();
  Sentry.init({
    dsn: browser.dsn,
    release: browser.release,
    environment: browser.environment,
    // Work behind the pages is chosen before it comes here.
    tracesSampler: ({ attributes, inheritOrSampleWith }) =>
      attributes?.[WORK] === true ? 1 : inheritOrSampleWith(browser.tracesSampleRate),
    registerEsmLoaderHooks: false,
    integrations: (defaults) => defaults.filter(({ name }) => INTEGRATIONS.has(name)),
    ...(deliver && { transport: createInProcessTransport(Sentry.createTransport, deliver) }),
    beforeSend(event) {
      const { type = "", value = "" } = event.exception?.values?.at(-1) ?? {};
      if (limiter.mayReport(`${type}: ${value}`, Date.now())) return hideSecrets(nameSources(event));
      // An open page may reload for each event, and fail again: that must not become a loop.
      onDropped(`${type}: ${value}`);
      return null;
    },
    beforeSendTransaction: hideSecrets,
    beforeSendSpan: hideSecrets,
  });

  return {
    browser,
    instrumentation: Sentry.createSentryServerInstrumentation(),
    renderTraceMeta() {
      const { "sentry-trace": trace, baggage = "" } = Sentry.getTraceData();
      if (!trace) return "";
      return `<meta name="sentry-trace" content="${trace}"/><meta name="baggage" content="${escapeAttribute(limitBaggage(baggage) ?? "")}"/>`;
    },
    capture(fault, mechanismType) {
      Sentry.captureException(fault, { mechanism: { type: mechanismType, handled: false } });
    },
    captureFeedback({ message, eventId, url }) {
      Sentry.captureFeedback({ message, url: hideSecretPaths(url), ...(eventId && { associatedEventId: eventId }) });
    },
    // Each traced request has an isolation scope of its own.
    lastEventId: () => Sentry.lastEventId() ?? null,
    trace(req, res, handle) {
      const method = req.method ?? "GET";
      const path = (req.url ?? "/").split("?", 1)[0] ?? "/";
      const headers = Object.fromEntries(
        Object.entries(req.headers).flatMap(([name, value]) =>
          value === undefined || PRIVATE_HEADERS.includes(name) ? [] : [[name, String(value)]],
        ),
      );
      const baggage = limitBaggage([req.headers.baggage ?? ""].flat().join(","));
      Sentry.withIsolationScope((scope) => {
        scope.setSDKProcessingMetadata({
          normalizedRequest: { method, url: `http://${req.headers.host ?? "localhost"}${req.url}`, headers },
        });
        Sentry.continueTrace({ sentryTrace: toOne(req.headers["sentry-trace"]), baggage }, () =>
          Sentry.startSpan(
            {
              name: `${method} ${path}`,
              op: "http.server",
              forceTransaction: true,
              attributes: {
                "http.request.method": method,
                "url.path": path,
                "http.target": path,
                "sentry.source": "url",
                "sentry.origin": "auto.http.culprit",
              },
            },
            (span) =>
              new Promise<void>((done) => {
                res.once("close", () => {
                  Sentry.setHttpStatus(span, res.statusCode);
                  done();
                });
                handle();
              }),
          ),
        );
      });
    },
    untraced(handle) {
      Sentry.withIsolationScope(() => Sentry.suppressTracing(handle));
    },
    recordWork({ name, op, startedAt, endedAt, isFailed, attributes, parts }) {
      Sentry.withIsolationScope(() => {
        const startTime = new Date(startedAt);
        const root = Sentry.startInactiveSpan({
          name,
          op,
          startTime,
          // Begins a trace of its own. `startNewTrace` gives the span a parent that nobody sends, so the trace would look incomplete.
          parentSpan: null,
          forceTransaction: true,
          attributes: { ...attributes, [WORK]: true },
        });
        if (isFailed) root.setStatus({ code: FAILED, message: "internal_error" });
        Sentry.withActiveSpan(root, () => {
          for (const part of parts)
            Sentry.startInactiveSpan({ name: part.name, op: part.op, startTime: new Date(part.startedAt) }).end(
              new Date(part.endedAt),
            );
        });
        root.end(new Date(endedAt));
      });
    },
    async close(timeoutMs) {
      await Sentry.close(timeoutMs);
    },
  };
}

/** Frames of the built server as frames of its sources. The lines of code beside them are the same. */
function nameSources(event: ErrorEvent): ErrorEvent {
  for (const { stacktrace } of event.exception?.values ?? [])
    for (const frame of stacktrace?.frames ?? []) {
      const file = frame.filename?.replace(/^file:\/\//, "");
      const place = file && frame.lineno ? findSource(file, frame.lineno, frame.colno ?? 1) : null;
      if (!place) continue;
      Object.assign(frame, { filename: place.path, lineno: place.line, colno: place.column });
      delete frame.module;
    }
  return event;
}

type TransportOptions = Parameters<Sdk["createTransport"]>[0];
type Transport = ReturnType<Sdk["createTransport"]>;

/** Our own events go to ingest as if they had come by HTTP, and obey its limits, without a connection to ourselves. */
function createInProcessTransport(
  createTransport: Sdk["createTransport"],
  deliver: NonNullable<MonitoringOptions["deliver"]>,
): (options: TransportOptions) => Transport {
  return (options) =>
    createTransport(options, async ({ body }) => {
      const { status, headers } = await deliver(typeof body === "string" ? Buffer.from(body) : body);
      return {
        statusCode: status,
        headers: {
          "retry-after": headers["retry-after"] ?? null,
          "x-sentry-rate-limits": headers["x-sentry-rate-limits"] ?? null,
        },
      };
    });
}

function toOne(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
