/** Something that the command palette has found on the server. */
export interface FoundPlace {
  kind: "event" | "issue" | "trace" | "release" | "page";
  /** The path and query of its address. */
  to: string;
  label: string;
  /** Text that tells it from others with the same label, like a short id. It may be empty. */
  detail: string;
}
