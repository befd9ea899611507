/** Counters of ingest for operators. The composition root connects them to the metrics of the process. */
export interface IngestMetrics {
  /** Items that are safe in the journal. */
  accepted(items: number): void;
  /** Items that were refused, or whole requests whose items are unknown. `reason` is a stable token. */
  refused(reason: string, items: number): void;
  /** Called once per request, when its answer was given to the socket. */
  answered(status: number, durationMs: number): void;
}
