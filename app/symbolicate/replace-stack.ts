import type { Stacktrace } from "../domain/event.ts";
import type { FoundStack, SymbolicationEvent } from "./collect-frames.ts";

/** The event with another stack trace in one place. The one that was sent stays beside it. */
export function replaceStack<Event extends SymbolicationEvent>(
  event: Event,
  { place, raw }: FoundStack,
  stacktrace: Stacktrace,
): Event {
  const withStack = <Owner extends object>(owner: Owner): Owner => ({ ...owner, stacktrace, raw_stacktrace: raw });
  const replaceAt = <Owner extends object>(owners: readonly Owner[]): Owner[] =>
    owners.map((owner, index) => (index === place.index ? withStack(owner) : owner));
  switch (place.kind) {
    case "exception":
      return { ...event, exception: { ...event.exception, values: replaceAt(event.exception?.values ?? []) } };
    case "thread":
      return { ...event, threads: { ...event.threads, values: replaceAt(event.threads?.values ?? []) } };
    case "stacktrace":
      return withStack(event);
  }
}
