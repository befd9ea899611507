import type { Workspace } from "../../access/workspace.ts";
import type { IssueStatus } from "../../domain/issue.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { listMatchingIssueIds } from "./list-issues.server.ts";
import { type PreviousStatuses, parsePrevious, serializePrevious } from "./previous-statuses.ts";

/** As many issues as one form may name; a page has 25. */
const MAX_NAMED = 200;

/** What the list's form asks for. */
export type IssuesChange =
  | { kind: "status"; status: IssueStatus; resolution?: ResolutionRequest; issueIds: number[] | "all-matching" }
  | { kind: "undo"; previous: PreviousStatuses };

/** What the page says afterwards. `undo` is what an undo form sends back; null when nothing changed. */
export type IssuesChangeAnswer =
  | { ok: true; kind: "status"; status: IssueStatus; isInNextRelease: boolean; count: number; undo: string | null }
  | { ok: true; kind: "undo"; count: number }
  | { ok: false; message: string };

const CHANGE_OF_INTENT: Record<string, { status: IssueStatus; resolution?: ResolutionRequest }> = {
  resolve: { status: "resolved" },
  "resolve-in-next-release": { status: "resolved", resolution: { kind: "next_release" } },
  archive: { status: "archived" },
  reopen: { status: "unresolved" },
};

/** Reads the form: `intent` resolve, resolve-in-next-release, archive, reopen with `issue` (repeated) or `scope=all-matching`; or undo with `previous`. */
export function parseIssuesForm(form: FormData): { ok: true; change: IssuesChange } | { ok: false; message: string } {
  const intent = form.get("intent");
  if (intent === "undo") {
    const previous = parsePrevious(form.get("previous"));
    return previous
      ? { ok: true, change: { kind: "undo", previous } }
      : { ok: false, message: "There is nothing to undo." };
  }
  const wanted =
    typeof intent === "string" && Object.hasOwn(CHANGE_OF_INTENT, intent) ? CHANGE_OF_INTENT[intent] : undefined;
  if (!wanted) return { ok: false, message: "It is not said what should be done with the issues." };
  if (form.get("scope") === "all-matching")
    return { ok: true, change: { kind: "status", ...wanted, issueIds: "all-matching" } };
  const issueIds = form.getAll("issue").map(Number);
  if (issueIds.length === 0) return { ok: false, message: "Select the issues first." };
  if (issueIds.length > MAX_NAMED) return { ok: false, message: `At most ${MAX_NAMED} issues can be named at once.` };
  if (!issueIds.every((id) => Number.isSafeInteger(id) && id > 0))
    return { ok: false, message: "One of the issues has no number." };
  return { ok: true, change: { kind: "status", ...wanted, issueIds } };
}

/** Does it, and says what became of it. */
export async function changeIssues(
  workspace: Workspace,
  { change, filters, userId, now }: { change: IssuesChange; filters: IssueFilters; userId: number | null; now: number },
): Promise<IssuesChangeAnswer> {
  const { state, scope } = workspace;
  if (change.kind === "undo") {
    await state.issues.restoreIssueStatuses(scope, change.previous, { userId, at: now });
    return { ok: true, kind: "undo", count: change.previous.length };
  }
  const issueIds =
    change.issueIds === "all-matching" ? await listMatchingIssueIds(workspace, { filters, now }) : change.issueIds;
  const { status, resolution } = change;
  const previous = await state.issues.changeIssueStatus(scope, {
    issueIds,
    status,
    ...(resolution ? { resolution } : {}),
    userId,
    at: now,
  });
  const undo = previous.length > 0 ? serializePrevious(previous) : null;
  const isInNextRelease = resolution?.kind === "next_release";
  return { ok: true, kind: "status", status, isInNextRelease, count: previous.length, undo };
}
