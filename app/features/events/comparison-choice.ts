import { toEventId } from "./event-id.ts";

/** The two events to compare, or how to choose them, from an address. */
export type ComparisonChoice =
  | { kind: "two"; left: string; right: string }
  /** The events that were ticked in the list. The list has the newest first. */
  | { kind: "ticked"; events: string[] }
  | { kind: "wrong"; message: string };

const CHOOSE_TWO = "Choose exactly two events to compare.";

/** Reads the choice from an address: `left` and `right` are ids of events. A list sends `event` once for each ticked event. */
export function readComparisonChoice(search: URLSearchParams): ComparisonChoice {
  const ticked = search.getAll("event");
  const named = ticked.length > 0 ? ticked : [search.get("left"), search.get("right")];
  const ids = named.flatMap((text) => (text === null ? [] : [toEventId(text)]));
  if (ids.length !== 2) return { kind: "wrong", message: CHOOSE_TWO };
  const [left, right] = ids;
  if (!left || !right) return { kind: "wrong", message: "An event id has 32 hexadecimal digits." };
  return ticked.length > 0 ? { kind: "ticked", events: [left, right] } : { kind: "two", left, right };
}

/** The address of a comparison. `search`: that of the present page, whose filters are kept. */
export function toComparePath(
  issueId: number,
  { left, right }: { left: string; right: string },
  search: URLSearchParams = new URLSearchParams(),
): string {
  const next = new URLSearchParams(search);
  for (const name of ["cursor", "event", "with", "q"]) next.delete(name);
  next.set("left", left);
  next.set("right", right);
  return `/issues/${issueId}/compare?${next}`;
}
