import type { Priority } from "../../domain/issues/priority.ts";
import { PRIORITY_LABELS } from "./triage-words.ts";

const BARS: Record<Priority, number> = { high: 3, medium: 2, low: 1 };

/** The priority as bars and a word. */
export function PrioritySign({ priority, isSet }: { priority: Priority; isSet: boolean }) {
  const label = PRIORITY_LABELS[priority];
  return (
    <span className="priority" data-priority={priority} data-tip={`Priority: ${label}${isSet ? ", set by hand" : ""}`}>
      <PriorityBars priority={priority} />
      <span className="sr-only">Priority </span>
      {label}
    </span>
  );
}

export function PriorityBars({ priority }: { priority: Priority }) {
  return (
    <svg viewBox="0 0 12 12" className="priority-bars" data-priority={priority} aria-hidden="true">
      {[1, 2, 3].map((bar) => (
        <rect key={bar} x={bar * 4 - 4} y={12 - bar * 4} width="3" height={bar * 4} data-on={bar <= BARS[priority]} />
      ))}
    </svg>
  );
}
