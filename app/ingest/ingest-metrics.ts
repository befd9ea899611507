/** What ingest counts for operators. The composition root ties it to the metrics of the process. */
export interface IngestMetrics {
  /** Items that are safe in the journal. */
  accepted(items: number): void;
  /** Items, or whole requests whose items nobody knows, that were turned away; `reason` is a stable token. */
  refused(reason: string, items: number): void;
  /** One per request, when its answer was handed to the socket. */
  answered(status: number, durationMs: number): void;
}
