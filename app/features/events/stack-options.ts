/** How stack traces are shown; in the URL, so that a link shows what its sender saw. */
export interface StackView {
  /** `relevant` folds frames that are not the application's; `raw` is plain text. */
  form: "relevant" | "full" | "raw";
  order: "newest" | "oldest";
  /** Where source maps changed the frames: what they made of them, or what was sent. */
  source: "mapped" | "sent";
}

/**
 * Parameters that only change how what is there already is drawn, or which part of a list: of the issue and of an event
 * nothing is fetched for them.
 */
const VIEW_PARAMETERS = ["stack", "order", "source", "graph", "cursor"] as const;

export function withoutViewParameters(url: URL): string {
  const search = new URLSearchParams(url.search);
  for (const name of VIEW_PARAMETERS) search.delete(name);
  return search.toString();
}

/** Python programmers read tracebacks oldest first, so that is what they get unless they ask otherwise. */
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
