import type { SentryEvent, Thread } from "../../domain/event.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { pickThread } from "../../domain/pick-thread.ts";
import { Badge } from "../../ui/badge.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { framesOf } from "./exception-section.tsx";
import type { StackView } from "./stack-options.ts";
import { StackTrace } from "./stack-trace.tsx";

/** Threads that are listed at once. An application may have hundreds. */
const SHOWN = 8;

/** All threads. The most important one is first, and open. */
export function ThreadList({
  event,
  grouping,
  view,
}: {
  event: SentryEvent;
  grouping: GroupingExplanation | null;
  view: StackView;
}) {
  const threads = event.threads?.values ?? [];
  const picked = pickThread(event);
  const sorted = [...threads].sort((a, b) => rank(b, picked) - rank(a, picked));
  const hasOwnStack = event.exception?.values.some((exception) => exception.stacktrace) ?? false;
  const items = sorted.map((thread) => {
    const index = threads.indexOf(thread);
    return (
      <Disclosure
        key={index}
        className="py-2"
        open={(thread === picked && !hasOwnStack) || undefined}
        summary={
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-sm">{thread.name ?? `Thread ${thread.id ?? index}`}</span>
            {thread.name && thread.id !== undefined && <span className="text-faint text-xs">#{thread.id}</span>}
            {thread.crashed && <Badge tone="fatal">Crashed</Badge>}
            {thread.current && <Badge tone="info">Current</Badge>}
            {thread.main && <Badge tone="neutral">Main</Badge>}
            {thread.state && <span className="text-muted text-xs">{thread.state}</span>}
          </span>
        }
      >
        {thread.stacktrace ? (
          <StackTrace
            stacktrace={thread.stacktrace}
            view={view}
            groupedFrames={thread === picked ? framesOf(grouping, null) : NONE}
            place={{ kind: "thread", index }}
            label={thread.name ?? `thread ${thread.id ?? index}`}
          />
        ) : (
          <p className="stack-note">This thread came without a stack trace.</p>
        )}
      </Disclosure>
    );
  });
  // Folding a single thread would save no space.
  const shown = items.length > SHOWN + 1 ? items.slice(0, SHOWN) : items;
  const others = items.slice(shown.length);
  return (
    <div className="grid divide-y divide-line">
      {shown}
      {others.length > 0 && (
        <details className="fold py-2">
          <summary>{others.length} more threads</summary>
          <div className="grid divide-y divide-line pt-2">{others}</div>
        </details>
      )}
    </div>
  );
}

const NONE: ReadonlySet<number> = new Set();

function rank(thread: Thread, picked: Thread | undefined): number {
  return (thread === picked ? 4 : 0) + (thread.main ? 2 : 0) + (thread.stacktrace ? 1 : 0);
}
