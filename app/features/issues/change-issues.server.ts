import type { IssueStatus, IssueSubstatus } from "../../domain/issue.ts";
import type { StateStore } from "../../stores/state-store.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { listMatchingIssueIds } from "./list-issues.server.ts";
import { parsePrevious, serializePrevious } from "./previous-statuses.ts";

/** As many issues as one form may name; a page has 25. */
const MAX_NAMED = 200;

/** What the list's form asks for. */
export type IssuesChange =
  | { kind: "status"; status: IssueStatus; issueIds: number[] | "all-matching" }
  | { kind: "undo"; previous: Array<{ issueId: number; status: IssueStatus; substatus: IssueSubstatus }> };

/** What the page says afterwards. `undo` is what an undo form sends back; null when nothing changed. */
export type IssuesChangeAnswer =
  | { ok: true; kind: "status"; status: IssueStatus; count: number; undo: string | null }
  | { ok: true; kind: "undo"; count: number }
  | { ok: false; message: string };

const STATUS_OF_INTENT: Record<string, IssueStatus> = {
  resolve: "resolved",
  archive: "archived",
  reopen: "unresolved",
};

/** Reads the form: `intent` resolve, archive, reopen with `issue` (repeated) or `scope=all-matching`; or undo with `previous`. */
export function parseIssuesForm(form: FormData): { ok: true; change: IssuesChange } | { ok: false; message: string } {
  const intent = form.get("intent");
  if (intent === "undo") {
    const previous = parsePrevious(form.get("previous"));
    return previous
      ? { ok: true, change: { kind: "undo", previous } }
      : { ok: false, message: "There is nothing to undo." };
  }
  const status =
    typeof intent === "string" && Object.hasOwn(STATUS_OF_INTENT, intent) ? STATUS_OF_INTENT[intent] : undefined;
  if (!status) return { ok: false, message: "It is not said what should be done with the issues." };
  if (form.get("scope") === "all-matching")
    return { ok: true, change: { kind: "status", status, issueIds: "all-matching" } };
  const issueIds = form.getAll("issue").map(Number);
  if (issueIds.length === 0) return { ok: false, message: "Select the issues first." };
  if (issueIds.length > MAX_NAMED) return { ok: false, message: `At most ${MAX_NAMED} issues can be named at once.` };
  if (!issueIds.every((id) => Number.isSafeInteger(id) && id > 0))
    return { ok: false, message: "One of the issues has no number." };
  return { ok: true, change: { kind: "status", status, issueIds } };
}

/** Does it, and says what became of it. */
export async function changeIssues(
  state: StateStore,
  { change, filters, userId, now }: { change: IssuesChange; filters: IssueFilters; userId: number | null; now: number },
): Promise<IssuesChangeAnswer> {
  if (change.kind === "undo") {
    await state.restoreIssueStatuses(change.previous, { userId, at: now });
    return { ok: true, kind: "undo", count: change.previous.length };
  }
  const issueIds =
    change.issueIds === "all-matching" ? await listMatchingIssueIds(state, { filters, now }) : change.issueIds;
  const previous = await state.changeIssueStatus({ issueIds, status: change.status, userId, at: now });
  const undo = previous.length > 0 ? serializePrevious(previous) : null;
  return { ok: true, kind: "status", status: change.status, count: previous.length, undo };
}
