/** Something that the command palette has found on the server. */
export interface FoundPlace {
  kind: "event" | "issue" | "trace" | "release" | "page";
  /** Its address: path and query. */
  to: string;
  label: string;
  /** What tells it from others of the same label, like a short id; may be empty. */
  detail: string;
}
