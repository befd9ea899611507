import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { TLSSocket } from "node:tls";
import { judgeAnswer } from "../domain/uptime/assertion.ts";
import { toCheckSpanId } from "../domain/uptime/check-span.ts";
import type { AskedAddress } from "../domain/uptime/location-exchange.ts";
import type { UptimeCheck, UptimeTarget } from "../domain/uptime/uptime-monitor.ts";
import {
  describeProblem,
  findAddresses,
  OutboundProblem,
  type PublicTargetOptions,
  parseOutboundUrl,
  requestPublic,
  toLookup,
} from "../outbound/request-public.server.ts";

/** Of a body, what assertions look at. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface ProbeOptions extends Pick<PublicTargetOptions, "isPublic" | "resolve"> {
  now: () => number;
  /** Ends the check, which then says nothing. */
  signal: AbortSignal;
}

/** Asks an address once, as its settings say. Null: the signal has ended it. Never throws for what the address answers. */
export async function probe(settings: AskedAddress, options: ProbeOptions): Promise<UptimeCheck | null> {
  const limit = AbortSignal.timeout(settings.timeoutMs);
  const signal = AbortSignal.any([limit, options.signal]);
  const at = options.now();
  const startedAt = performance.now();
  const traceId = randomBytes(16).toString("hex");
  let answer: Answered | null = null;
  let reason: string | null;
  try {
    const { target } = settings;
    if (target.kind === "tcp") await connectOnce(target, { ...options, signal });
    else answer = await askHttp(target, { ...options, signal, traceId });
    reason = answer && judgeAnswer({ ...answer, durationMs: performance.now() - startedAt }, settings.assertions);
  } catch (error) {
    if (options.signal.aborted) return null;
    reason = limit.aborted
      ? `there was no answer within ${settings.timeoutMs} ms`
      : toSentence(describeProblem(error, signal).reason);
  }
  if (options.signal.aborted) return null;
  return {
    at,
    durationMs: performance.now() - startedAt,
    reason,
    httpStatus: answer?.status ?? null,
    certificateEndsAt: answer?.certificateEndsAt ?? null,
    traceId,
  };
}

interface Answered {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
  isBodyWhole: boolean;
  certificateEndsAt: number | null;
}

/** Follows redirects as a browser does: each address is looked at like the first, and what a POST carried is not sent on. */
async function askHttp(
  target: UptimeTarget & { kind: "http" },
  { traceId, signal, isPublic, resolve }: ProbeOptions & { traceId: string },
): Promise<Answered> {
  const first = parseOutboundUrl(target.url);
  let url = first;
  let method = target.method;
  for (let hop = 0; ; hop++) {
    // The headers may carry a secret, which is for this server alone.
    const own = url.origin === first.origin ? target.headers.map(([name, value]) => [name.toLowerCase(), value]) : [];
    const response = await requestPublic(url, {
      signal,
      isPublic,
      resolve,
      method,
      headers: {
        accept: "*/*",
        "user-agent": "Culprit (uptime)",
        ...Object.fromEntries(own),
        ...toTraceHeaders(traceId),
      },
      ...(method === "POST" && { body: target.body }),
    });
    try {
      const { statusCode = 0, headers } = response;
      if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
        if (hop === MAX_REDIRECTS) throw new OutboundProblem("failed", `it redirects more than ${MAX_REDIRECTS} times`);
        url = parseOutboundUrl(headers.location, url);
        if (method === "POST" && statusCode !== 307 && statusCode !== 308) method = "GET";
        continue;
      }
      return {
        status: statusCode,
        headers: toMap(headers),
        certificateEndsAt: readCertificate(response),
        ...(await readBody(response)),
      };
    } finally {
      response.destroy();
    }
  }
}

/** As SDKs of Sentry and OpenTelemetry read them: what the server does for this check joins its trace. */
function toTraceHeaders(traceId: string): Record<string, string> {
  const spanId = toCheckSpanId(traceId);
  return { "sentry-trace": `${traceId}-${spanId}-1`, traceparent: `00-${traceId}-${spanId}-01` };
}

function toMap(headers: IncomingMessage["headers"]): Map<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
    ),
  );
}

async function readBody(response: IncomingMessage): Promise<{ body: string; isBodyWhole: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BODY_BYTES) break;
  }
  const whole = length <= MAX_BODY_BYTES;
  return { body: Buffer.concat(parts).subarray(0, MAX_BODY_BYTES).toString("utf8"), isBodyWhole: whole };
}

function readCertificate({ socket }: IncomingMessage): number | null {
  if (!(socket instanceof TLSSocket)) return null;
  const end = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(end) ? null : end;
}

async function connectOnce(target: UptimeTarget & { kind: "tcp" }, options: ProbeOptions): Promise<void> {
  const addresses = await findAddresses(target.host, options);
  await new Promise<void>((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      lookup: toLookup(addresses),
      signal: options.signal,
    });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

/** Codes of Node and OpenSSL that people meet. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut off",
  ETIMEDOUT: "there was no answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has ended",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by an authority that nobody knows",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes without those that sign it",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  EPROTO: "it does not speak TLS, or no version of it that is safe",
  HPE_HEADER_OVERFLOW: "its headers are larger than 16 KiB",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};

function toSentence(reason: string): string {
  const code = /^the connection failed \((\w+)\)$/.exec(reason)?.[1];
  return (code && CODES[code]) ?? reason;
}
