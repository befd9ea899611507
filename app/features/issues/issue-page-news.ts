import type { Issue } from "../../domain/issue.ts";

/** The parts of an issue that change while somebody looks at it. */
export type ShownState = Pick<Issue, "status" | "substatus" | "eventCount">;

export type IssueState = ShownState & {
  /** The short id of the issue that it was merged into, and whose state this is. Null: it was not merged. */
  mergedInto: string | null;
  /** False: some of its events are still being moved to or from it, or being deleted. */
  isSettled: boolean;
  /** Sentences about what other people have done since, the newest first. */
  done: readonly string[];
};

const HAPPENED: Readonly<Partial<Record<Issue["substatus"], string>>> = {
  regressed: "Regressed: it happened again",
  escalating: "Escalating: far more events than before",
};

/**
 * Says what has happened to an issue since its page was read. Null: nothing. `now` is "gone" if the reader cannot see such an issue
 * any more.
 */
export function sayIssuePageNews(shown: ShownState, now: IssueState | "gone"): string | null {
  if (now === "gone") return "Deleted meanwhile, or you may not see it any more";
  if (now.mergedInto !== null) return `Merged into ${now.mergedInto}`;
  const subject = saySubject(shown, now);
  const acts = sayActs(now.done);
  // A sentence about who did it replaces the one about the change. Events that came again are nobody's act, so that sentence stays.
  const isAct = subject !== null && !Object.values<string>(HAPPENED).includes(subject);
  const parts = [
    ...(acts !== null && isAct ? [] : [subject]),
    acts,
    sayEvents(now.eventCount - shown.eventCount),
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

function sayActs([newest, ...others]: readonly string[]): string | null {
  if (newest === undefined || others.length === 0) return newest ?? null;
  return `${newest} and ${others.length === 1 ? "1 more change" : `${others.length} more changes`}`;
}

function saySubject(shown: ShownState, now: ShownState): string | null {
  if (now.status === "unresolved") {
    const isSame = shown.status === "unresolved" && shown.substatus === now.substatus;
    // An undo can restore that status, too, without an event.
    const happened = now.eventCount > shown.eventCount ? HAPPENED[now.substatus] : undefined;
    if (happened !== undefined && !isSame) return happened;
    return shown.status === "unresolved" ? null : "Reopened meanwhile";
  }
  if (now.status === shown.status) return null;
  return now.status === "resolved" ? "Resolved meanwhile" : "Archived meanwhile";
}

function sayEvents(count: number): string | null {
  if (count <= 0) return null;
  return count === 1 ? "1 new event" : `${count.toLocaleString("en")} new events`;
}
