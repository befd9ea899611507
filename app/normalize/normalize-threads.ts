import type { SentryException, Stacktrace, Thread } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, FLAG, ID, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { normalizeStacktrace } from "./normalize-stacktrace.ts";
import { keepEntries, toValueList } from "./object-list.ts";
import type { CodeContext } from "./place-in-image.ts";
import { LIMITS, TREE_LIMITS } from "./trimming.ts";

const THREAD_RULES = createFieldRules({
  id: ID,
  name: text(LIMITS.otherText),
  crashed: FLAG,
  current: FLAG,
  main: FLAG,
  state: text(LIMITS.tagValue),
  held_locks: object(TREE_LIMITS.small),
  stacktrace: OWN,
  raw_stacktrace: OWN,
});

/** Null when there are none. The place of `meta` is the event. */
export function normalizeThreads(value: unknown, code: CodeContext, meta: MetaRecorder): Thread[] | null {
  const list = toValueList(value, meta, "threads");
  if (list === null) return null;
  meta.enter("threads");
  meta.enter("values");
  keepEntries(list, isRecord, Number.POSITIVE_INFINITY, meta);
  for (let index = 0; index < list.length; index++) {
    const thread = list[index];
    if (!isRecord(thread)) continue;
    meta.enter(index);
    normalizeFields(thread, THREAD_RULES, meta);
    for (const key of ["stacktrace", "raw_stacktrace"]) {
      const stacktrace = thread[key];
      if (stacktrace !== undefined) thread[key] = normalizeStacktrace(stacktrace, code, meta, key) ?? undefined;
    }
    meta.leave();
  }
  meta.leave();
  meta.leave();
  // Narrowed field by field above.
  return list.length === 0 ? null : (list as Thread[]);
}

/**
 * Gives a stack trace to the exception that lacks one: the event's own (which old SDKs send beside it), or that of the crashed thread. A
 * stack trace that is given to the exception is removed from its old place. Returns the remaining stack trace of the event.
 */
export function completeStacktraces(
  exceptions: SentryException[] | null,
  threads: Thread[] | null,
  ownStacktrace: Stacktrace | null,
): Stacktrace | null {
  if (exceptions === null) return ownStacktrace;
  const [single] = exceptions;
  if (exceptions.length === 1 && single !== undefined && single.stacktrace === undefined && ownStacktrace !== null) {
    single.stacktrace = ownStacktrace;
    return null;
  }
  if (threads === null) return ownStacktrace;
  // A map, because both lists are as long as the sender wishes; of several on one thread the last is the outermost.
  const lackingByThreadId = new Map<string, SentryException>();
  for (const exception of exceptions) {
    if (exception.stacktrace !== undefined) continue;
    if (exception.thread_id !== undefined) lackingByThreadId.set(String(exception.thread_id), exception);
  }
  for (const thread of threads) {
    if (thread.crashed !== true || thread.stacktrace === undefined) continue;
    let target = thread.id === undefined ? undefined : lackingByThreadId.get(String(thread.id));
    // A single exception is that of the crashed thread, unless both say otherwise.
    if (exceptions.length === 1 && (single?.thread_id === undefined || thread.id === undefined)) target = single;
    if (target === undefined || target.stacktrace !== undefined) continue;
    target.stacktrace = thread.stacktrace;
    thread.stacktrace = undefined;
  }
  return ownStacktrace;
}
