import { isPriority } from "../../domain/issues/priority.ts";
import { type PreviousTriage, parseAssigneeText, toAssigneeText } from "../../domain/issues/triage.ts";

/** Distinguishes these from other undo texts. */
const PREFIX = "triage/";
const NONE = "-";
/** Characters: some 10,000 issues. */
const MAX_LENGTH = 300_000;

/** Text for a hidden field: `triage/17;user:3,18;-`. After another semicolon comes the priority. Null if there is nothing, or too much. */
export function serializePreviousTriage(previous: readonly PreviousTriage[]): string | null {
  const parts = previous.map(({ issueId, assignee, priority }) => {
    const who = assignee === undefined ? "" : assignee === null ? NONE : toAssigneeText(assignee);
    return priority === undefined ? `${issueId};${who}` : `${issueId};${who};${priority ?? NONE}`;
  });
  const text = PREFIX + parts.join();
  return parts.length === 0 || text.length > MAX_LENGTH ? null : text;
}

/** Null: the text is not from `serializePreviousTriage`. */
export function parsePreviousTriage(value: unknown): PreviousTriage[] | null {
  if (typeof value !== "string" || !value.startsWith(PREFIX) || value.length > MAX_LENGTH) return null;
  const previous: PreviousTriage[] = [];
  for (const part of value.slice(PREFIX.length).split(",")) {
    const [id, who = "", priority, ...rest] = part.split(";");
    const issueId = Number(id);
    if (!Number.isSafeInteger(issueId) || issueId <= 0 || rest.length > 0) return null;
    const assignee = who === "" ? undefined : who === NONE ? null : parseAssigneeText(who);
    if (assignee === null && who !== NONE) return null;
    if (priority !== undefined && priority !== NONE && !isPriority(priority)) return null;
    previous.push({
      issueId,
      ...(assignee === undefined ? {} : { assignee }),
      ...(priority === undefined ? {} : { priority: isPriority(priority) ? priority : null }),
    });
  }
  return previous;
}
