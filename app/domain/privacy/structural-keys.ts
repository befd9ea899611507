/** Values under these are made by machines, and a run of digits in them is chance. */
export const ID_KEYS: ReadonlySet<string> = new Set(
  (
    "event_id trace_id span_id parent_span_id parent_id replay_id profile_id profiler_id chunk_id segment_id check_in_id " +
    "debug_id code_id exception_id thread_id transaction_id request_id release dist timestamp start_timestamp end_timestamp " +
    "instruction_addr image_addr symbol_addr address"
  ).split(" "),
);

/** Keys that Culprit needs to process what it receives. A project cannot mask them. */
export const STRUCTURAL_KEYS: ReadonlySet<string> = new Set([
  ...ID_KEYS,
  ...(
    "type values level category items spans contexts breadcrumbs exception stacktrace frames attributes platform environment " +
    "status op duration monitor_slug sid started"
  ).split(" "),
]);
