import type { ComparedEvent } from "./get-comparison.server.ts";

/** A sentence that says why only an event's facts are compared. Null: all of the event is there. */
export function sayDetails({ details }: Pick<ComparedEvent, "details">): string | null {
  if (details === "damaged") return "The details of this event are damaged. Only its facts are compared.";
  if (details === "dropped")
    return "The details of this event were older than the retention. Only its facts are compared.";
  return null;
}
