import type { SentryEvent, Thread } from "./event.ts";

/** The thread that crashed, otherwise the current one, otherwise the only one. */
export function pickThread(event: SentryEvent): Thread | undefined {
  const threads = event.threads?.values ?? [];
  return (
    threads.find((thread) => thread.crashed) ??
    threads.find((thread) => thread.current) ??
    (threads.length === 1 ? threads[0] : undefined)
  );
}
