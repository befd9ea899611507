import type { SentryEvent, Stacktrace } from "../../domain/event.ts";

interface WithStacks {
  stacktrace?: Stacktrace;
  raw_stacktrace?: Stacktrace;
}

/** Whether source maps have changed a stack trace of the event, so that there are two versions to show. */
export function hasMappedStacks(event: SentryEvent): boolean {
  return [event, ...(event.exception?.values ?? []), ...(event.threads?.values ?? [])].some(isMapped);
}

/** The event with its stack traces as they were sent, before source maps were applied. */
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

/** SDKs may send a raw stack trace of their own. Frames that were mapped on this server have a mark. */
function isMapped({ stacktrace, raw_stacktrace: raw }: WithStacks): boolean {
  return raw !== undefined && (stacktrace?.frames.some(({ data }) => data?.symbolicated === true) ?? false);
}
