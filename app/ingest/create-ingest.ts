import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProjectKey } from "../domain/project.ts";
import type { Journal } from "../journal/journal.ts";
import type { Journals } from "../journal/journals.ts";
import { type CredentialsResult, joinEnvelopeDsn, resolveCredentials } from "../protocol/auth-header.ts";
import type { OtlpSignal } from "../protocol/otlp/messages.ts";
import { isOtlpMediaType } from "../protocol/otlp/read-request.ts";
import { MalformedEnvelopeError, type ParsedEnvelope, parseEnvelope } from "../protocol/parse-envelope.ts";
import { readQueryParameter } from "../protocol/query-string.ts";
import { MAX_OTLP_BYTES } from "../signals/otlp/otlp-limits.ts";
import { acceptCheckIn, type CronPath, MAX_CRON_BODY_BYTES, readCronCheckIn, toCronAnswer } from "./accept-cron.ts";
import { createEnvelopeAcceptor, type EnvelopeSource, type RefusalTarget } from "./accept-envelope.ts";
import { acceptOtlp, toOtlpAnswer } from "./accept-otlp.ts";
import { acceptSecurityReports, isReportMediaType } from "./accept-security.ts";
import { answerHeaders, type IngestAnswer, refusedAnswer, writePreflight } from "./answers.ts";
import { type Authorization, authorizeRequest } from "./authorize-request.ts";
import { createBodyDecoder } from "./decode-body.ts";
import { type HttpExchange, hasBody, openHttpExchange } from "./http-exchange.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import type { IngestLimits } from "./ingest-limits.ts";
import type { IngestLog } from "./ingest-log.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { type IngestRoute, parseIngestRoute, parseNeutralRoute, parsePlainOtlpRoute } from "./ingest-route.ts";
import { journalRefused } from "./journal-failure.ts";
import type { KeyRateLimiter } from "./key-rate-limiter.ts";
import type { KeyRing } from "./key-ring.ts";
import { createLimits } from "./limits.ts";
import { MAX_MINIDUMP_BODY_BYTES, readMinidumpBody, toMinidumpAnswer } from "./minidump-body.ts";
import { createOutcomeCounter } from "./outcome-counter.ts";
import type { QuotaLimiter } from "./quota-limiter.ts";
import { createBodyReader } from "./read-body.ts";
import { createBodyReceiver } from "./receive-body.ts";
import { Refusal } from "./refusal.ts";
import { MAX_REPORT_BYTES, readReportBody } from "./report-body.ts";
import { isFormMediaType, readDialogQuery, readReportForm, toScriptAnswer } from "./report-dialog.ts";
import { readRequestFacts } from "./request-facts.ts";
import { MAX_STORE_BYTES, readStoreBody } from "./store-body.ts";
import { findTunnelTarget, forwardEnvelope, type TunnelOptions } from "./tunnel.ts";

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

/** An envelope of our own SDK, which was never an HTTP request. */
export interface InProcessEnvelope {
  body: Uint8Array;
  publicKey: string;
  /** Like `sentry.javascript.react-router/10.75.2`. */
  client?: string;
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

const NO_CREDENTIALS: CredentialsResult = {
  ok: false,
  code: "missing-credentials",
  detail: "missing authorization information",
};

/** Far longer than a valid release or environment. A longer text is invalid, so it may be cut. It stands in headers of items. */
const MAX_ORIGIN_CHARS = 1000;

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
      refuseUnsupported(exchange, route);
    } else if (route.kind === "dialog") {
      receiveDialog(exchange, route);
    } else if (route.cron !== undefined) {
      receiveCheckIn(exchange, route, route.cron);
    } else if (method === "GET" && route.kind === "store") {
      receivePixel(exchange, route);
    } else if (method !== "POST") {
      refuseMethod(exchange, route.kind === "store" ? "POST, GET, OPTIONS" : "POST, OPTIONS");
    } else if (route.kind === "security") {
      receiveSecurity(exchange, route);
    } else if (route.kind === "minidump") {
      receiveMinidump(exchange, route);
    } else if (route.kind === "report") {
      receiveReport(exchange, route);
    } else if (route.otlp !== undefined) {
      receiveOtlp(exchange, route, route.otlp);
    } else if (route.kind === "store" && !exchange.req.headers["content-type"]?.includes("sentry-envelope")) {
      receiveStore(exchange, route);
    } else {
      receiveEnvelope(exchange, route);
    }
  }

  function refuseMethod(exchange: HttpExchange, allow: string): void {
    exchange.refuseUnread(new Refusal("method_not_allowed", `method not allowed: use ${allow}`), null, [
      "allow",
      allow,
    ]);
  }

  function refuseUnsupported(exchange: HttpExchange, route: IngestRoute): void {
    const authorization = authorize(exchange.req, route, credentialsOf(exchange.req, route));
    const target = authorization.ok ? targetOf(authorization.key.projectId, route) : null;
    const detail =
      route.endpoint === "otlp"
        ? "this path takes no OTLP: traces go to …/v1/traces, logs to …/v1/logs and metrics to …/v1/metrics"
        : `this version of Culprit does not support the ${route.endpoint} endpoint`;
    const reason = `endpoint_${route.endpoint.replaceAll("-", "_")}`;
    exchange.refuseUnread(new Refusal("unsupported_endpoint", detail, { reason }), target);
  }

  function authorize(req: IncomingMessage, route: IngestRoute, credentials: CredentialsResult): Authorization {
    return authorizeRequest(credentials, route.projectId, req.headers, keys);
  }

  /** Returns the facts about the request if its sender may send. Otherwise refuses it, and returns null. */
  function admit(exchange: HttpExchange, route: IngestRoute): EnvelopeSource | null {
    const authorization = authorize(exchange.req, route, credentialsOf(exchange.req, route));
    if (authorization.ok) return toSource(exchange.req, authorization.key, authorization.client, false);
    exchange.refuseUnread(authorization.refusal, targetOf(authorization.projectId, route));
    return null;
  }

  function toSource(req: IncomingMessage, key: ProjectKey, client: string | null, isEnvelope: boolean): EnvelopeSource {
    return { key, receivedAt: now(), client, isEnvelope, ...readRequestFacts(req, trustProxy) };
  }

  function receiveEnvelope(exchange: HttpExchange, route: IngestRoute): void {
    const { req } = exchange;
    const credentials = credentialsOf(req, route);
    const targetOfEnvelope = (projectId: number | null, result: CredentialsResult): RefusalTarget | null =>
      projectId === null
        ? null
        : { ...targetOf(projectId, route), envelopeClient: result.ok ? result.credentials.client : null };
    let target: RefusalTarget | null = null;
    // If the request itself has no key, the envelope's header may have one: then the body must be read first.
    if (credentials.ok || !mayFollowInEnvelope(credentials.code)) {
      const authorization = authorize(req, route, credentials);
      const projectId = authorization.ok ? authorization.key.projectId : authorization.projectId;
      target = targetOfEnvelope(projectId, credentials);
      if (!authorization.ok) {
        exchange.refuseUnread(authorization.refusal, target);
        return;
      }
    }
    bodies.receive(exchange, limits.maxEnvelopeBytes, target, (body) => {
      const envelope = parse(body);
      if (envelope instanceof Refusal) return acceptor.refuse(envelope, target);
      const joined = joinEnvelopeDsn(credentials, envelope.header.dsn);
      const authorization = authorize(req, route, joined);
      if (authorization.ok) {
        return acceptor.accept(body, envelope, toSource(req, authorization.key, authorization.client, true));
      }
      return acceptor.refuse(authorization.refusal, targetOfEnvelope(authorization.projectId, joined));
    });
  }

  function receiveStore(exchange: HttpExchange, route: IngestRoute): void {
    const source = admit(exchange, route);
    if (source === null) return;
    bodies.receive(exchange, MAX_STORE_BYTES, targetOf(source.key.projectId, route), (body) =>
      acceptStore(exchange, route, source, body),
    );
  }

  function receivePixel(exchange: HttpExchange, route: IngestRoute): void {
    const source = admit(exchange, route);
    if (source === null) return;
    const refusal = journal.refusal(0);
    if (refusal !== null) {
      exchange.refuseUnread(journalRefused(refusal), targetOf(source.key.projectId, route));
      return;
    }
    const data = Buffer.from(readQueryParameter(route.query, "sentry_data") ?? "", "utf8");
    acceptStore(exchange, route, source, data).then(exchange.sendPixel, (error) => bodies.fail(exchange, error));
  }

  async function acceptStore(
    exchange: HttpExchange,
    route: IngestRoute,
    source: EnvelopeSource,
    body: Uint8Array,
  ): Promise<IngestAnswer> {
    const stored = await readStoreBody(body, { randomId, decodeBody, lease: exchange.lease });
    if (stored instanceof Refusal) return acceptor.refuse(stored, targetOf(source.key.projectId, route));
    return acceptor.accept(stored.envelope, parseEnvelope(stored.envelope), source);
  }

  function receiveMinidump(exchange: HttpExchange, route: IngestRoute): void {
    const source = admit(exchange, route);
    if (source === null) return;
    const target = targetOf(source.key.projectId, route);
    const contentType = exchange.req.headers["content-type"] ?? "";
    bodies.receive(exchange, MAX_MINIDUMP_BODY_BYTES, target, async (body) => {
      const read = await readMinidumpBody(body, { contentType, randomId, decodeBody, lease: exchange.lease });
      if (read instanceof Refusal) return acceptor.refuse(read, target);
      return toMinidumpAnswer(await acceptor.accept(read.envelope, parseEnvelope(read.envelope), source));
    });
  }

  function receiveReport(exchange: HttpExchange, route: IngestRoute): void {
    const source = admit(exchange, route);
    if (source !== null) takeReport(exchange, targetOf(source.key.projectId, route), source, readReportBody);
  }

  function takeReport(
    exchange: HttpExchange,
    target: RefusalTarget,
    source: EnvelopeSource,
    read: (body: Uint8Array) => Uint8Array | Refusal,
  ): void {
    bodies.receive(exchange, MAX_REPORT_BYTES, target, (body) => {
      const envelope = read(body);
      if (envelope instanceof Refusal) return acceptor.refuse(envelope, target);
      return acceptor.accept(envelope, parseEnvelope(envelope), source);
    });
  }

  /** A GET asks for the script of the dialog: nothing is lost if it is refused. A POST has the text that the user wrote. */
  function receiveDialog(exchange: HttpExchange, route: IngestRoute): void {
    const { req } = exchange;
    const isPost = req.method === "POST";
    if (!isPost && req.method !== "GET" && req.method !== "HEAD") {
      refuseMethod(exchange, "GET, HEAD, POST, OPTIONS");
      return;
    }
    const asked = readDialogQuery(route.query);
    if (asked instanceof Refusal) {
      exchange.refuseUnread(asked, null);
      return;
    }
    const authorization = authorize(req, route, asked.credentials);
    if (!authorization.ok) {
      exchange.refuseUnread(authorization.refusal, isPost ? targetOf(authorization.projectId, route) : null);
      return;
    }
    const { key, client } = authorization;
    const target = targetOf(key.projectId, route);
    const { eventId } = asked;
    if (eventId === null) {
      const refusal = new Refusal("malformed_report", "eventId: must be the id of an event");
      exchange.refuseUnread(refusal, isPost ? target : null);
    } else if (!isPost) {
      exchange.send(toScriptAnswer(options.reportDialog));
    } else if (!isFormMediaType(req.headers["content-type"])) {
      const detail = "the fields are taken as application/x-www-form-urlencoded";
      exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
    } else {
      takeReport(exchange, target, toSource(req, key, client, false), (body) => readReportForm(body, eventId));
    }
  }

  function receiveSecurity(exchange: HttpExchange, route: IngestRoute): void {
    const source = admit(exchange, route);
    if (source === null) return;
    const target = targetOf(source.key.projectId, route);
    if (!isReportMediaType(exchange.req.headers["content-type"])) {
      const detail = "this content type is not one of a security report";
      exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
      return;
    }
    const origin = {
      release: readQueryParameter(route.query, "sentry_release")?.slice(0, MAX_ORIGIN_CHARS) ?? null,
      environment: readQueryParameter(route.query, "sentry_environment")?.slice(0, MAX_ORIGIN_CHARS) ?? null,
    };
    bodies.receive(exchange, MAX_STORE_BYTES, target, (body) =>
      acceptSecurityReports(body, origin, source, { acceptor, metrics, randomId }),
    );
  }

  function receiveOtlp(exchange: HttpExchange, route: IngestRoute, signal: OtlpSignal): void {
    const source = admit(exchange, route);
    if (source === null) return;
    const target = targetOf(source.key.projectId, route);
    const contentType = exchange.req.headers["content-type"] ?? "";
    const keyOfService = keys.find(source.key.publicKey)?.keyOfService ?? null;
    if (!isOtlpMediaType(contentType)) {
      const detail = "OTLP is taken as application/x-protobuf or application/json over HTTP, not as gRPC";
      exchange.refuseUnread(new Refusal("unsupported_media_type", detail), target);
      return;
    }
    const otlpExchange: HttpExchange = {
      ...exchange,
      send: (answer) => exchange.send(toOtlpAnswer(answer, contentType)),
    };
    bodies.receive(otlpExchange, MAX_OTLP_BYTES, target, (body) =>
      acceptOtlp(body, { signal, contentType }, source, { acceptor, target, keyOfService }),
    );
  }

  function receiveCheckIn(exchange: HttpExchange, route: IngestRoute, path: CronPath): void {
    const { req } = exchange;
    if (req.method !== "GET" && req.method !== "HEAD" && req.method !== "POST") {
      refuseMethod(exchange, "GET, HEAD, POST, OPTIONS");
      return;
    }
    const source = admit(exchange, route);
    if (source === null) return;
    const target = targetOf(source.key.projectId, route);
    const contentType = req.headers["content-type"] ?? "";
    const take = (bytes: Uint8Array | null) => {
      const checkIn = readCronCheckIn(path, route.query, bytes && { bytes, contentType });
      if (checkIn instanceof Refusal) return acceptor.refuse(checkIn, target);
      return acceptCheckIn(checkIn, source, { acceptor, target });
    };
    if (hasBody(req)) {
      const cronExchange: HttpExchange = { ...exchange, send: (answer) => exchange.send(toCronAnswer(answer)) };
      bodies.receive(cronExchange, MAX_CRON_BODY_BYTES, target, take);
      return;
    }
    const refusal = journal.refusal(0);
    if (refusal !== null) exchange.refuseUnread(journalRefused(refusal), target);
    else Promise.resolve(take(null)).then(exchange.send, (error) => bodies.fail(exchange, error));
  }

  function handleTunnel(req: IncomingMessage, res: ServerResponse): void {
    if (req.method === "OPTIONS") {
      writePreflight(res);
      return;
    }
    const exchange = open(req, res);
    if (req.method !== "POST") refuseMethod(exchange, "POST, OPTIONS");
    else bodies.receive(exchange, limits.maxEnvelopeBytes, null, (body) => acceptTunnelled(req, body));
  }

  async function acceptTunnelled(req: IncomingMessage, body: Uint8Array): Promise<IngestAnswer> {
    const envelope = parse(body);
    if (envelope instanceof Refusal) return acceptor.refuse(envelope, null);
    const found = findTunnelTarget(envelope.header.dsn, tunnel?.targets() ?? []);
    if (found instanceof Refusal) return acceptor.refuse(found, null);
    const { dsn, target } = found;
    if (target.host !== null) {
      const forwarded = await forwardEnvelope(req, body, { ...tunnel, trustProxy });
      return forwarded instanceof Refusal ? acceptor.refuse(forwarded, null) : forwarded;
    }
    const credentials = joinEnvelopeDsn(NO_CREDENTIALS, envelope.header.dsn);
    const authorization = authorizeRequest(credentials, dsn.projectId, req.headers, keys);
    if (!authorization.ok) return acceptor.refuse(authorization.refusal, null);
    return acceptor.accept(body, envelope, toSource(req, authorization.key, authorization.client, true));
  }

  async function acceptInProcess({ body, publicKey, client = "" }: InProcessEnvelope): Promise<IngestAnswer> {
    const credentials: CredentialsResult = {
      ok: true,
      credentials: { publicKey, client: client || null, projectId: null },
    };
    const authorization = authorizeRequest(credentials, null, {}, keys);
    if (!authorization.ok) return acceptor.refuse(authorization.refusal, null);
    const { key } = authorization;
    const envelope = parse(body);
    if (envelope instanceof Refusal) {
      const target = { projectId: key.projectId, category: "default", envelopeClient: authorization.client } as const;
      return acceptor.refuse(envelope, target);
    }
    return acceptor.accept(body, envelope, {
      key,
      receivedAt: now(),
      client: authorization.client,
      isEnvelope: true,
      clientAddress: null,
      userAgent: null,
    });
  }

  return {
    handle,
    handleTunnel,
    async ingestEnvelope(envelope) {
      const answer = await acceptInProcess(envelope).catch((error: unknown) => {
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

function credentialsOf({ headers }: IncomingMessage, route: IngestRoute): CredentialsResult {
  const xSentryAuth = headers["x-sentry-auth"];
  return resolveCredentials({
    xSentryAuth: Array.isArray(xSentryAuth) ? xSentryAuth[0] : xSentryAuth,
    authorization: headers.authorization,
    query: route.query,
    pathKey: route.pathKey,
  });
}

function mayFollowInEnvelope(code: Extract<CredentialsResult, { ok: false }>["code"]): boolean {
  return code === "missing-credentials" || code === "invalid-credentials";
}

function parse(body: Uint8Array): ParsedEnvelope | Refusal {
  try {
    return parseEnvelope(body);
  } catch (error) {
    if (!(error instanceof MalformedEnvelopeError)) throw error;
    return new Refusal("malformed_envelope", `invalid event envelope: ${error.message}`);
  }
}

function targetOf(projectId: number, route: IngestRoute): RefusalTarget;
function targetOf(projectId: number | null, route: IngestRoute): RefusalTarget | null;
function targetOf(projectId: number | null, route: IngestRoute): RefusalTarget | null {
  return projectId === null ? null : { projectId, category: route.category };
}
