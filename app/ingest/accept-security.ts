import { parseEnvelope } from "../protocol/parse-envelope.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";
import { MAX_REPORTS_PER_REQUEST, securityReportKind, splitSecurityReports } from "../protocol/security-report.ts";
import type { EnvelopeAcceptor, EnvelopeSource } from "./accept-envelope.ts";
import type { DroppedItems } from "./admit-items.ts";
import type { IngestAnswer } from "./answers.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { wrapInEnvelope } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/** Facts that the query of a report's URL gives for every report in the request. */
export interface SecurityReportOrigin {
  release: string | null;
  environment: string | null;
}

const MEDIA_TYPES = new Set([
  "application/csp-report",
  "application/json",
  "application/expect-ct-report",
  "application/expect-ct-report+json",
  "application/expect-staple-report",
  "application/expect-staple-report+json",
  "application/reports+json",
  "text/plain",
]);

/** Whether browsers send reports with this `Content-Type`. An absent one is accepted. */
export function isReportMediaType(contentType: string | undefined): boolean {
  if (!contentType) return true;
  return MEDIA_TYPES.has((contentType.split(";", 1)[0] ?? "").trim().toLowerCase());
}

/**
 * Accepts a browser's reports (protocol 3.1). Each becomes an envelope of its own, because each becomes an event with its own id. Reports
 * of unknown kinds are counted and left out. A body with only unknown kinds is refused.
 */
export async function acceptSecurityReports(
  body: Uint8Array,
  origin: SecurityReportOrigin,
  source: EnvelopeSource,
  { acceptor, metrics, randomId }: { acceptor: EnvelopeAcceptor; metrics: IngestMetrics; randomId: () => string },
): Promise<IngestAnswer> {
  const target = { projectId: source.key.projectId, category: "security" } as const;
  if (body.length === 0) return acceptor.refuse(new Refusal("empty_body", "empty request body"), target);
  const json = glanceAtJson(body);
  if (json === undefined) return acceptor.refuse(new Refusal("malformed_json", "invalid JSON data"), target);
  const reports = splitSecurityReports(json);
  // As text at once: nesting that is too deep to be written again is not worth reading either.
  const known = reports.flatMap((report) => (securityReportKind(report) === null ? [] : (toJson(report) ?? [])));
  const unknownCount = reports.length - known.length;
  if (known.length === 0) {
    const detail = "no security report of a known type with a known directive";
    return acceptor.refuse(new Refusal("unknown_security_report", detail), target, Math.max(1, unknownCount));
  }
  const left: DroppedItems[] = [];
  if (unknownCount > 0)
    left.push({
      category: "security",
      outcome: "malformed",
      reason: "unknown_security_report",
      quantity: unknownCount,
    });
  const beyondCount = known.length - MAX_REPORTS_PER_REQUEST;
  if (beyondCount > 0)
    left.push({ category: "security", outcome: "too_large", reason: "security_count", quantity: beyondCount });
  for (const items of left) metrics.refused(items.reason, items.quantity);
  acceptor.countDropped(target.projectId, source.receivedAt, left);

  const answers = await Promise.all(
    known.slice(0, MAX_REPORTS_PER_REQUEST).map((reportJson) => {
      const header = {
        type: "raw_security",
        ...(origin.release ? { sentry_release: origin.release } : {}),
        ...(origin.environment ? { sentry_environment: origin.environment } : {}),
      };
      const envelope = wrapInEnvelope(randomId(), header, Buffer.from(reportJson));
      return acceptor.accept(envelope, parseEnvelope(envelope), source);
    }),
  );
  // One accepted report makes the request a success. Otherwise all answers are the same.
  const best = answers.find((answer) => answer.status === 200) ?? answers[0];
  const limited = answers.find((answer) => answer.rateLimits !== null);
  return {
    status: best?.status ?? 200,
    body: best === undefined || best.status === 200 ? null : best.body,
    retryAfterSeconds: limited?.retryAfterSeconds ?? best?.retryAfterSeconds ?? null,
    rateLimits: limited?.rateLimits ?? null,
    error: best?.error ?? null,
  };
}

function toJson(report: unknown): string | null {
  try {
    return JSON.stringify(report);
  } catch {
    return null;
  }
}
