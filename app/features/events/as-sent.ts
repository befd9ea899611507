import type { SentryEvent, Stacktrace } from "../../domain/event.ts";

interface WithStacks {
  stacktrace?: Stacktrace;
  raw_stacktrace?: Stacktrace;
}

/** Whether source maps have changed a stack trace of the event, so that there is another one to show. */
export function hasMappedStacks(event: SentryEvent): boolean {
  return [event, ...(event.exception?.values ?? []), ...(event.threads?.values ?? [])].some(isMapped);
}

/** The event with the stack traces that were sent, in place of those that source maps made of them. */
export function withStacksAsSent(event: SentryEvent): SentryEvent {
  const sent = toSent(event);
  return {
    ...sent,
    ...(sent.exception ? { exception: { ...sent.exception, values: sent.exception.values.map(toSent) } } : {}),
    ...(sent.threads ? { threads: { ...sent.threads, values: sent.threads.values.map(toSent) } } : {}),
  };
}

function toSent<Owner extends WithStacks>(owner: Owner): Owner {
  return isMapped(owner) && owner.raw_stacktrace ? { ...owner, stacktrace: owner.raw_stacktrace } : owner;
}

/** SDKs may send a raw stack trace of their own; frames that were mapped here bear a mark. */
function isMapped({ stacktrace, raw_stacktrace: raw }: WithStacks): boolean {
  return raw !== undefined && (stacktrace?.frames.some(({ data }) => data?.symbolicated === true) ?? false);
}
