import type { Outcome } from "../domain/outcome.ts";
import type { RateLimit } from "../protocol/rate-limits.ts";

interface RefusalRule {
  status: number;
  /** The bucket of the loss ledger; null: nothing was lost that could be counted for a project. */
  outcome: Outcome | null;
}

/**
 * Why a whole request is refused. The codes are also the reasons in the loss ledger and in the metrics, so they never
 * change their meaning.
 */
const RULES = {
  malformed_envelope: { status: 400, outcome: "malformed" },
  malformed_otlp: { status: 400, outcome: "malformed" },
  malformed_json: { status: 400, outcome: "malformed" },
  malformed_check_in: { status: 400, outcome: "malformed" },
  malformed_report: { status: 400, outcome: "malformed" },
  malformed_minidump: { status: 400, outcome: "malformed" },
  malformed_encoding: { status: 400, outcome: "malformed" },
  empty_body: { status: 400, outcome: "malformed" },
  unknown_security_report: { status: 400, outcome: "malformed" },
  bad_project_id: { status: 400, outcome: null },
  unsupported_version: { status: 400, outcome: null },
  missing_dsn: { status: 400, outcome: null },
  missing_credentials: { status: 401, outcome: null },
  invalid_credentials: { status: 401, outcome: null },
  conflicting_keys: { status: 403, outcome: null },
  unknown_key: { status: 403, outcome: null },
  project_mismatch: { status: 403, outcome: null },
  tunnel_not_allowed: { status: 403, outcome: null },
  key_disabled: { status: 403, outcome: "filtered" },
  origin_not_allowed: { status: 403, outcome: "filtered" },
  unknown_endpoint: { status: 404, outcome: null },
  unsupported_endpoint: { status: 404, outcome: "unsupported" },
  method_not_allowed: { status: 405, outcome: null },
  body_timeout: { status: 408, outcome: "malformed" },
  body_too_large: { status: 413, outcome: "too_large" },
  event_too_large: { status: 413, outcome: "too_large" },
  items_too_large: { status: 413, outcome: "too_large" },
  unsupported_encoding: { status: 415, outcome: "malformed" },
  unsupported_media_type: { status: 415, outcome: "malformed" },
  key_quota: { status: 429, outcome: "rate_limited" },
  quota: { status: 429, outcome: "rate_limited" },
  backlog_full: { status: 429, outcome: "rate_limited" },
  disk_full: { status: 429, outcome: "rate_limited" },
  tunnel_not_configured: { status: 500, outcome: null },
  tunnel_unreachable: { status: 500, outcome: null },
  internal_error: { status: 500, outcome: null },
  disk_error: { status: 503, outcome: "rate_limited" },
  overloaded: { status: 503, outcome: "rate_limited" },
  starting: { status: 503, outcome: null },
} as const satisfies Record<string, RefusalRule>;

export type RefusalCode = keyof typeof RULES;

interface RefusalDetails {
  causes?: readonly string[];
  retryAfterSeconds?: number;
  /** The limits that the sender has exceeded, for `X-Sentry-Rate-Limits`. */
  limits?: readonly RateLimit[];
  /** A finer reason than the code, for the ledger and the metrics: a stable token. */
  reason?: string;
}

/** An expected way for a request to end: a value, not an exception, because a flood of them must stay cheap. */
export class Refusal {
  readonly code: RefusalCode;
  /** Text for the sender. It names the limit or field. */
  readonly detail: string;
  /** The underlying errors, for `causes` of the answer. */
  readonly causes: readonly string[];
  readonly retryAfterSeconds: number | null;
  readonly limits: readonly RateLimit[] | null;
  readonly reason: string;

  constructor(code: RefusalCode, detail: string, details: RefusalDetails = {}) {
    this.code = code;
    this.detail = detail;
    this.causes = details.causes ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.limits = details.limits ?? null;
    this.reason = details.reason ?? code;
  }

  get status(): number {
    return RULES[this.code].status;
  }

  get outcome(): Outcome | null {
    return RULES[this.code].outcome;
  }
}
