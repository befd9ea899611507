import type { ComparedEvent } from "./get-comparison.server.ts";

/** Why only the facts of an event are compared; null: all of it is there. */
export function sayDetails({ details }: Pick<ComparedEvent, "details">): string | null {
  if (details === "damaged") return "The details of this event are damaged. Only its facts are compared.";
  if (details === "dropped")
    return "The details of this event were older than the retention. Only its facts are compared.";
  return null;
}
