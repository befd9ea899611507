/** A search that is the id of a trace or a span and nothing else, with the key that finds it; any other search as it is. */
export function nameId(search: string, spanKey: "id" | "span_id"): string {
  const id = search.trim().replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(id)) return `trace:${id}`;
  return /^[0-9a-f]{16}$/.test(id) ? `${spanKey}:${id}` : search;
}
