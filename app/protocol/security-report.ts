import { isRecord } from "../domain/is-record.ts";
import { DAY_MS } from "../domain/time.ts";
import { cspMessage, cspValueLabel, isKnownDirective } from "./csp-message.ts";
import { parseTimestampMs } from "./timestamps.ts";

export type SecurityReportKind = "csp" | "expectct" | "expectstaple" | "hpkp" | "nel";

/** Facts from the request that brought a report. */
export interface SecurityReportContext {
  userAgent: string | null;
  clientAddress: string | null;
  /** `sentry_release` and `sentry_environment` of the query or of the item's header. */
  release: string | null;
  environment: string | null;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

type Json = Record<string, unknown>;

/** Browsers send a handful at a time; the rest of a longer list is left alone. */
export const MAX_REPORTS_PER_REQUEST = 100;
const MAX_STRING_CHARS = 8192;
const MAX_LIST_LENGTH = 50;

/** The Reporting API sends lists, everything else one object: each element is one report. */
export function splitSecurityReports(report: unknown): unknown[] {
  return Array.isArray(report) ? report : [report];
}

/** Which kind one report is, by its shape (protocol 3.1); null for any other shape or an unknown directive. */
export function securityReportKind(report: unknown): SecurityReportKind | null {
  if (!isRecord(report)) return null;
  if (isRecord(report["csp-report"])) return hasKnownDirective(report["csp-report"]) ? "csp" : null;
  if (isRecord(report["expect-ct-report"])) return "expectct";
  if (isRecord(report["expect-staple-report"])) return "expectstaple";
  if ("known-pins" in report || "noted-hostname" in report) return "hpkp";
  if (!isRecord(report.body)) return null;
  if (report.type === "csp-violation") return hasKnownDirective(report.body) ? "csp" : null;
  return report.type === "network-error" ? "nel" : null;
}

/**
 * Raw events, without ids, in the shape an SDK would have sent them: to be normalised like those. Reports that are not
 * recognised give none, and of a list only the first 100 are read. Never throws.
 */
export function toSecurityEvents(report: unknown, context: SecurityReportContext): Json[] {
  const events: Json[] = [];
  for (const one of splitSecurityReports(report).slice(0, MAX_REPORTS_PER_REQUEST)) {
    const kind = securityReportKind(one);
    if (kind !== null && isRecord(one)) events.push(toEvent(kind, one, context));
  }
  return events;
}

function toEvent(kind: SecurityReportKind, report: Json, context: SecurityReportContext): Json {
  switch (kind) {
    case "csp":
      return toCspEvent(report, context);
    case "nel":
      return toNelEvent(report, context);
    case "expectct":
      return toCertificateEvent(
        "expectct",
        asRecord(report["expect-ct-report"]),
        context,
        (host) => `Expect-CT failed for '${host}'`,
      );
    case "expectstaple":
      return toCertificateEvent(
        "expectstaple",
        asRecord(report["expect-staple-report"]),
        context,
        (host) => `Expect-Staple failed for '${host}'`,
      );
    case "hpkp":
      return toCertificateEvent(
        "hpkp",
        report,
        context,
        (host) => `Public key pinning validation failed for '${host}'`,
      );
  }
}

const CSP_FIELDS: ReadonlyArray<[field: string, legacy: string, reporting: string]> = [
  ["document_uri", "document-uri", "documentURL"],
  ["referrer", "referrer", "referrer"],
  ["violated_directive", "violated-directive", "violatedDirective"],
  ["original_policy", "original-policy", "originalPolicy"],
  ["status_code", "status-code", "statusCode"],
  ["source_file", "source-file", "sourceFile"],
  ["line_number", "line-number", "lineNumber"],
  ["column_number", "column-number", "columnNumber"],
  ["script_sample", "script-sample", "sample"],
  ["disposition", "disposition", "disposition"],
];

function toCspEvent(report: Json, context: SecurityReportContext): Json {
  const isLegacy = isRecord(report["csp-report"]);
  const body = asRecord(isLegacy ? report["csp-report"] : report.body);
  const directive = effectiveDirective(body);
  const blockedUri = text(body["blocked-uri"] ?? body.blockedURL ?? body.blockedURI) || "self";
  const csp: Json = { effective_directive: directive, blocked_uri: blockedUri };
  for (const [field, legacy, reporting] of CSP_FIELDS) {
    const value = bounded(body[legacy] ?? body[reporting]);
    if (value !== undefined) csp[field] = value;
  }
  const documentUri = text(csp.document_uri) || text(report.url);
  if (documentUri) csp.document_uri = documentUri;
  const violation = { directive, violatedDirective: text(csp.violated_directive), blockedUri, documentUri };
  return {
    ...baseEvent("csp", context, isLegacy ? null : report),
    logentry: { formatted: cspMessage(violation) },
    culprit: `${directive} ${cspValueLabel(violation)}`,
    csp,
    tags: [
      ["effective-directive", directive],
      ["blocked-uri", blockedUri],
    ],
    request: toRequest(documentUri, text(csp.referrer), text(report.user_agent) || context.userAgent),
  };
}

const CERTIFICATE_FIELDS = [
  "date-time",
  "hostname",
  "port",
  "scheme",
  "effective-expiration-date",
  "served-certificate-chain",
  "validated-certificate-chain",
  "scts",
  "failure-mode",
  "test-report",
  "response-status",
  "cert-status",
  "ocsp-response",
  "include-subdomains",
  "noted-hostname",
  "known-pins",
] as const;

function toCertificateEvent(
  kind: "expectct" | "expectstaple" | "hpkp",
  body: Json,
  context: SecurityReportContext,
  message: (host: string) => string,
): Json {
  const fields: Json = {};
  for (const name of CERTIFICATE_FIELDS) {
    const value = bounded(body[name]);
    if (value !== undefined) fields[name.replaceAll("-", "_")] = value;
  }
  const host = text(body.hostname) || text(body["noted-hostname"]) || "unknown host";
  const port = text(body.port);
  const scheme = text(body.scheme) || "https";
  const isStandardPort = port === "" || port === "443";
  const occurredAt = parseTimestampMs(body["date-time"]);
  return {
    ...baseEvent(kind, context, null),
    ...(occurredAt === null ? {} : { timestamp: occurredAt / 1000 }),
    logentry: { formatted: message(host) },
    culprit: host,
    [kind]: fields,
    tags: [["hostname", host], ...(port === "" ? [] : [["port", port]])],
    request: toRequest(`${scheme}://${host}${isStandardPort ? "" : `:${port}`}/`, "", context.userAgent),
  };
}

const NEL_FIELDS = [
  "elapsed_time",
  "method",
  "phase",
  "protocol",
  "referrer",
  "sampling_fraction",
  "server_ip",
  "status_code",
  "type",
] as const;

function toNelEvent(report: Json, context: SecurityReportContext): Json {
  const body = asRecord(report.body);
  const nel: Json = {};
  for (const name of NEL_FIELDS) {
    const value = bounded(body[name]);
    if (value !== undefined) nel[name] = value;
  }
  const url = text(report.url);
  const errorType = text(body.type) || "unknown";
  const host = URL.parse(url)?.host ?? "";
  return {
    ...baseEvent("nel", context, report),
    logentry: { formatted: `Network error '${errorType}'${host === "" ? "" : ` for '${host}'`}` },
    culprit: url,
    nel,
    contexts: { nel: { type: "nel", ...nel, error_type: errorType } },
    tags: [["nel.type", errorType], ...(text(body.phase) === "" ? [] : [["nel.phase", text(body.phase)]])],
    request: toRequest(url, text(body.referrer), text(report.user_agent) || context.userAgent),
  };
}

/** `age` of a Reporting API report is how many milliseconds it waited in the browser. */
function baseEvent(kind: SecurityReportKind, context: SecurityReportContext, aged: Json | null): Json {
  const age = aged?.age;
  const ageMs = typeof age === "number" && age > 0 && age < 30 * DAY_MS ? age : 0;
  return {
    type: kind,
    logger: kind,
    platform: "other",
    level: "error",
    timestamp: (context.receivedAt - ageMs) / 1000,
    ...(context.release ? { release: context.release } : {}),
    ...(context.environment ? { environment: context.environment } : {}),
    ...(context.clientAddress ? { user: { ip_address: context.clientAddress } } : {}),
  };
}

function toRequest(url: string, referrer: string, userAgent: string | null): Json {
  const headers: string[][] = [];
  if (userAgent) headers.push(["User-Agent", userAgent]);
  if (referrer) headers.push(["Referer", referrer]);
  return { ...(url ? { url } : {}), ...(headers.length > 0 ? { headers } : {}) };
}

function hasKnownDirective(body: Json): boolean {
  return isKnownDirective(effectiveDirective(body));
}

function effectiveDirective(body: Json): string {
  const stated =
    text(body["effective-directive"]) ||
    text(body.effectiveDirective) ||
    text(body["violated-directive"]) ||
    text(body.violatedDirective);
  return (stated.trim().split(/\s/, 1)[0] ?? "").toLowerCase();
}

/** Strings, numbers and booleans as they are; lists and objects one level down; anything deeper is left out. */
function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (depth > 1) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, MAX_LIST_LENGTH).flatMap((element) => bounded(element, depth + 1) ?? []);
  }
  if (!isRecord(value)) return undefined;
  const fields = Object.entries(value).slice(0, MAX_LIST_LENGTH);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, bounded(field, depth + 1)]).filter(([, field]) => field !== undefined),
  );
}

function text(value: unknown): string {
  if (typeof value === "string") return value.slice(0, MAX_STRING_CHARS).toWellFormed();
  return typeof value === "number" ? String(value) : "";
}

function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}
