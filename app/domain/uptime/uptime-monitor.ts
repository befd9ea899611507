import type { Assertion } from "./assertion.ts";
import type { DownAt } from "./down-at.ts";

export const UPTIME_METHODS = ["GET", "HEAD", "POST"] as const;
export type UptimeMethod = (typeof UPTIME_METHODS)[number];

/** The thing that is checked. */
export type UptimeTarget =
  | {
      kind: "http";
      method: UptimeMethod;
      url: string;
      headers: ReadonlyArray<readonly [name: string, value: string]>;
      /** Only for POST. */
      body: string;
    }
  /** Up while it accepts connections. */
  | { kind: "tcp"; host: string; port: number };

/** What to check, and when it counts as up. */
export interface UptimeSettings {
  name: string;
  target: UptimeTarget;
  /** One of `UPTIME_INTERVALS`. */
  intervalSeconds: number;
  /** A check that takes longer has failed. */
  timeoutMs: number;
  /** All must hold. None: a status from 200 to 399. */
  assertions: readonly Assertion[];
  /** Days. An https certificate that ends sooner gives a warning. Null: no warning. */
  certificateDays: number | null;
  environment: string | null;
  /** Whether this server checks it. If not, at least one location does. */
  isCheckedHere: boolean;
  /** Further places that check it: ascending, each once. */
  locationIds: readonly number[];
  downAt: DownAt;
}

/** The values of a monitor that only this server checks. */
export const CHECKED_HERE = {
  isCheckedHere: true,
  locationIds: [],
  downAt: "most",
} as const satisfies Partial<UptimeSettings>;

export const UPTIME_INTERVALS = [30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export const UPTIME_LIMITS = {
  monitors: 1_000,
  nameChars: 100,
  urlChars: 2_000,
  headers: 20,
  headerChars: 2_000,
  bodyChars: 10_000,
  assertions: 20,
  minTimeoutMs: 100,
  maxTimeoutMs: 30_000,
  maxCertificateDays: 365,
} as const;

/** `confirming`: one check has failed, and a second one decides. `unknown`: nothing was asked yet. */
export type UptimeStatus = "unknown" | "up" | "confirming" | "down";

export interface UptimeMonitor {
  id: number;
  projectId: number;
  settings: UptimeSettings;
  isPaused: boolean;
  createdAt: number;
  state: UptimeState;
  nextCheckAt: number;
}

/** The state of a monitor after its latest check. */
export interface UptimeState {
  status: UptimeStatus;
  /** When the present status began. Null: there was no check yet. */
  since: number | null;
  lastCheckAt: number | null;
  /** Why the last check failed. Null: it did not. */
  lastReason: string | null;
  lastDurationMs: number | null;
  /** When the certificate ends. Null: none was seen. */
  certificateEndsAt: number | null;
  /** The end of the certificate for which a warning was sent. Null: none was. */
  certificateToldOf: number | null;
  /** The state at each place, in the order of their first checks. */
  places: UptimePlaceState[];
}

/** The state of one place after its latest check. It is `down` after two failures in a row. */
export interface UptimePlaceState {
  /** `HERE`: this server. */
  locationId: number;
  status: Exclude<UptimeStatus, "unknown">;
  since: number;
  lastCheckAt: number;
  lastReason: string | null;
  lastDurationMs: number;
}

export const NO_STATE: UptimeState = {
  status: "unknown",
  since: null,
  lastCheckAt: null,
  lastReason: null,
  lastDurationMs: null,
  certificateEndsAt: null,
  certificateToldOf: null,
  places: [],
};

/** The result of one check. */
export interface UptimeCheck {
  at: number;
  durationMs: number;
  /** Why it failed, as the rest of a sentence: “it answered 503”. Null: it passed. */
  reason: string | null;
  /** Only for HTTP, if there was an answer. */
  httpStatus: number | null;
  certificateEndsAt: number | null;
  /** 32 hex characters: the server that was asked may have its own spans in this trace. */
  traceId: string;
}

/** A check, with the place that made it. */
export interface PlacedCheck extends UptimeCheck {
  locationId: number;
}

/** A time in which it was down. */
export interface UptimeOutage {
  startedAt: number;
  /** Null: it still is. */
  endedAt: number | null;
  reason: string;
}

/** `https://example.com/health`, `db.example.com:5432`. */
export function nameTarget(target: UptimeTarget): string {
  if (target.kind === "http") return target.url;
  return target.host.includes(":") ? `[${target.host}]:${target.port}` : `${target.host}:${target.port}`;
}

/** Checks of a quarter of an hour. */
export interface UptimeQuarter {
  /** Whole quarters of an hour since 1970. */
  quarter: number;
  checks: number;
  failed: number;
  /** Mean of the checks that succeeded, in milliseconds. */
  meanMs: number | null;
  maxMs: number | null;
}

export const QUARTER_MS = 15 * 60_000;
