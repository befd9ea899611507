/** How stack traces are shown. It is in the URL, so that a link shows what its sender saw. */
export interface StackView {
  /** `relevant` folds frames that are not the application's; `raw` is plain text. */
  form: "relevant" | "full" | "raw";
  order: "newest" | "oldest";
  /** If source maps changed the frames: the mapped frames, or those that were sent. */
  source: "mapped" | "sent";
}

/**
 * Parameters that change only how loaded data is drawn, or which part of a list. A change of them does not load the issue or the
 * event again.
 */
const VIEW_PARAMETERS = ["stack", "order", "source", "graph", "cursor"] as const;

export function withoutViewParameters(url: URL): string {
  const search = new URLSearchParams(url.search);
  for (const name of VIEW_PARAMETERS) search.delete(name);
  return search.toString();
}

/** Python programmers read tracebacks oldest first, so that is the default for Python. */
export function readStackView(search: URLSearchParams, platform: string): StackView {
  const form = search.get("stack");
  const order = search.get("order");
  return {
    form: form === "full" || form === "raw" ? form : "relevant",
    order: order === "oldest" || order === "newest" ? order : platform === "python" ? "oldest" : "newest",
    source: search.get("source") === "sent" ? "sent" : "mapped",
  };
}

/** The same URL with the view changed. */
export function toStackSearch(
  search: URLSearchParams,
  change: Partial<Record<"stack" | "order" | "source", string>>,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) next.set(name, value);
  return `?${next}`;
}
