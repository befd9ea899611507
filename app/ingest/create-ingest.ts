import type { IncomingMessage, ServerResponse } from "node:http";
import type { Journal } from "../journal/journal.ts";
import type { Journals } from "../journal/journals.ts";
import { createEnvelopeAcceptor } from "./accept-envelope.ts";
import { acceptTunnelled } from "./accept-tunnelled.ts";
import { authorize, credentialsOf, refuseMethod, targetOf } from "./admit-request.ts";
import { answerHeaders, refusedAnswer, writePreflight } from "./answers.ts";
import { createBodyDecoder } from "./decode-body.ts";
import { type HttpExchange, openHttpExchange } from "./http-exchange.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import type { IngestLimits } from "./ingest-limits.ts";
import type { IngestLog } from "./ingest-log.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import type { IngestParts } from "./ingest-parts.ts";
import { type IngestRoute, parseIngestRoute, parseNeutralRoute, parsePlainOtlpRoute } from "./ingest-route.ts";
import type { KeyRateLimiter } from "./key-rate-limiter.ts";
import type { KeyRing } from "./key-ring.ts";
import { createLimits } from "./limits.ts";
import { createOutcomeCounter } from "./outcome-counter.ts";
import type { QuotaLimiter } from "./quota-limiter.ts";
import { createBodyReader } from "./read-body.ts";
import { createBodyReceiver } from "./receive-body.ts";
import { receiveCheckIn } from "./receive-check-in.ts";
import { acceptInProcess, type InProcessEnvelope, receiveEnvelope } from "./receive-envelope.ts";
import { receiveMinidump } from "./receive-minidump.ts";
import { receiveOtlp } from "./receive-otlp.ts";
import { receiveDialog, receiveReport } from "./receive-report.ts";
import { receiveSecurity } from "./receive-security.ts";
import { receivePixel, receiveStore } from "./receive-store.ts";
import { Refusal } from "./refusal.ts";
import type { TunnelOptions } from "./tunnel.ts";

export interface IngestOptions {
  journals: Record<keyof Journals, Pick<Journal, "append" | "refusal">>;
  keys: KeyRing;
  /** Counts items against the limits of keys, and the quotas of projects and the server. */
  keyLimiter: KeyRateLimiter;
  quotas: Pick<QuotaLimiter, "find" | "count">;
  limits: IngestLimits;
  /** Milliseconds since 1970. */
  now: () => number;
  /** 32 lower-case hex characters. */
  randomId: () => string;
  log: IngestLog;
  metrics: IngestMetrics;
  /** Called for each event as soon as it is durable, with the sequence of its record. */
  onAccepted?: (eventId: string, sequence: number, projectId: number) => void;
  /** Whether the sender's address is taken from `X-Forwarded-For`. */
  trustProxy: boolean;
  /** Paths that take envelopes of every project, without a trailing slash, like `/t`. */
  neutralPaths?: readonly string[];
  /** The script of the report dialog. */
  reportDialog: Uint8Array;
  /** The tunnel for the reports of our own pages. Absent: `handleTunnel` answers that it is not configured. */
  tunnel?: TunnelOptions;
}

export interface InProcessAnswer {
  status: number;
  /** `retry-after` and `x-sentry-rate-limits`, if they are set. */
  headers: Record<string, string>;
  /** JSON with the id, or with the error. */
  body: string;
}

export interface Ingest {
  /** Handles requests to paths of ingest, and sends the answer. Returns false for all other paths. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  /** Answers a request to the tunnel path of our own pages. */
  handleTunnel(req: IncomingMessage, res: ServerResponse): void;
  /** Handles the envelope like an envelope request, without HTTP. Never rejects. */
  ingestEnvelope(envelope: InProcessEnvelope): Promise<InProcessAnswer>;
  /** Bytes that requests in flight hold at the moment. */
  readonly inFlightBytes: number;
  /** Journals the counts of refused items. Call it after the server has stopped, and before the journal closes. */
  close(): Promise<void>;
}

export function createIngest(options: IngestOptions): Ingest {
  const { journals, keys, limits, now, randomId, log, metrics, onAccepted, trustProxy, tunnel } = options;
  const { neutralPaths = [] } = options;
  const inFlight = createInFlightBytes(limits.maxInFlightBytes);
  // The contents are unknown until the body is read. If the bulk journal turns out to be full, the append fails.
  const journal = journals.express;
  const outcomes = createOutcomeCounter({ journal, now, log });
  const limitsOf = createLimits(options.keyLimiter, options.quotas);
  const acceptor = createEnvelopeAcceptor({ journals, outcomes, limitsOf, metrics, onAccepted, log, now, randomId });
  const reader = createBodyReader(limits, now);
  const decodeBody = createBodyDecoder();
  const bodies = createBodyReceiver({ reader, decodeBody, journal, limits, acceptor, log });
  const clock = { now, randomId };
  const parts: IngestParts = { ...clock, keys, limits, metrics, trustProxy, journal, acceptor, bodies, decodeBody };
  const exchangeParts = { reader, metrics, refuse: acceptor.refuse };

  function open(req: IncomingMessage, res: ServerResponse): HttpExchange {
    return openHttpExchange(req, res, { lease: inFlight.open(), ...exchangeParts });
  }

  function handle(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url ?? "";
    const route = parseIngestRoute(url) ?? parsePlainOtlpRoute(url) ?? parseNeutralRoute(url, neutralPaths);
    if (route === null) return false;
    if (req.method === "OPTIONS") {
      writePreflight(res);
      return true;
    }
    const exchange = open(req, res);
    try {
      dispatch(exchange, route);
    } catch (error) {
      bodies.fail(exchange, error);
    }
    return true;
  }

  function dispatch(exchange: HttpExchange, route: IngestRoute): void {
    const { method } = exchange.req;
    if (route.kind === "bad-project") {
      exchange.refuseUnread(new Refusal("bad_project_id", "bad project id in the path: digits are expected"), null);
    } else if (route.kind === "unknown") {
      exchange.refuseUnread(new Refusal("unknown_endpoint", "there is no such ingest endpoint"), null);
    } else if (route.kind === "unsupported") {
      refuseUnsupported(parts, exchange, route);
    } else if (route.kind === "dialog") {
      receiveDialog(parts, exchange, route, options.reportDialog);
    } else if (route.cron !== undefined) {
      receiveCheckIn(parts, exchange, route, route.cron);
    } else if (method === "GET" && route.kind === "store") {
      receivePixel(parts, exchange, route);
    } else if (method !== "POST") {
      refuseMethod(exchange, route.kind === "store" ? "POST, GET, OPTIONS" : "POST, OPTIONS");
    } else if (route.kind === "security") {
      receiveSecurity(parts, exchange, route);
    } else if (route.kind === "minidump") {
      receiveMinidump(parts, exchange, route);
    } else if (route.kind === "report") {
      receiveReport(parts, exchange, route);
    } else if (route.otlp !== undefined) {
      receiveOtlp(parts, exchange, route, route.otlp);
    } else if (route.kind === "store" && !exchange.req.headers["content-type"]?.includes("sentry-envelope")) {
      receiveStore(parts, exchange, route);
    } else {
      receiveEnvelope(parts, exchange, route);
    }
  }

  function handleTunnel(req: IncomingMessage, res: ServerResponse): void {
    if (req.method === "OPTIONS") {
      writePreflight(res);
      return;
    }
    const exchange = open(req, res);
    if (req.method !== "POST") refuseMethod(exchange, "POST, OPTIONS");
    else bodies.receive(exchange, limits.maxEnvelopeBytes, null, (body) => acceptTunnelled(parts, req, body, tunnel));
  }

  return {
    handle,
    handleTunnel,
    async ingestEnvelope(envelope) {
      const answer = await acceptInProcess(parts, envelope).catch((error: unknown) => {
        log.error({ err: error }, "an envelope of our own could not be ingested");
        return refusedAnswer(new Refusal("internal_error", "internal error"));
      });
      return { status: answer.status, headers: answerHeaders(answer), body: answer.body ?? "{}" };
    },
    get inFlightBytes() {
      return inFlight.heldBytes;
    },
    async close() {
      reader.close();
      await outcomes.close();
    },
  };
}

function refuseUnsupported(parts: IngestParts, exchange: HttpExchange, route: IngestRoute): void {
  const authorization = authorize(parts, exchange.req, route, credentialsOf(exchange.req, route));
  const target = authorization.ok ? targetOf(authorization.key.projectId, route) : null;
  const detail =
    route.endpoint === "otlp"
      ? "this path takes no OTLP: traces go to …/v1/traces, logs to …/v1/logs and metrics to …/v1/metrics"
      : `this version of Culprit does not support the ${route.endpoint} endpoint`;
  const reason = `endpoint_${route.endpoint.replaceAll("-", "_")}`;
  exchange.refuseUnread(new Refusal("unsupported_endpoint", detail, { reason }), target);
}
