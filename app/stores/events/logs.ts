import type { TraceFilter } from "./spans.ts";

/** A log line, lossless with its attributes and its rest. */
export interface LogRow {
  /** Sequence of its journal record. */
  sequence: number;
  projectId: number;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** 32 lower-case hex characters. */
  traceId: string | null;
  /** 16 lower-case hex characters. */
  spanId: string | null;
  /** Microseconds since 1970 by the server's clock. */
  occurredUs: number;
  /** How far the time was moved, because the sender's clock was wrong; null: it is as sent. */
  shiftUs: number | null;
  /** Tells lines of the same instant apart: `sentry.timestamp.sequence`. */
  tieBreaker: number | null;
  /** As sent. */
  level: string | null;
  /** 1 to 24, as OpenTelemetry counts; from the level where none was sent. */
  severity: number;
  body: string;
  /** The text with its parameters left open. */
  template: string | null;
  origin: string | null;
  logger: string | null;
  release: string | null;
  environment: string | null;
  service: string | null;
  serverAddress: string | null;
  userId: string | null;
  replayId: string | null;
  sdkName: string | null;
  sdkVersion: string | null;
  /** JSON of the attributes that have no column, as a container has them; null: it was sent without attributes. */
  attributes: string | null;
  /** JSON of the fields that have no column; null: there are none. */
  rest: string | null;
  /** JSON of what it came with: `sdk`, `request`, `container`. */
  resource: string | null;
}

/** Logs, as pages read them. */
export interface Logs {
  /** In the order of their time. */
  listLogs(filter: TraceFilter): Promise<LogRow[]>;
}
