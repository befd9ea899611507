import type { Workspace } from "../../access/workspace.ts";
import type { IssueStatus } from "../../domain/issue.ts";
import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import { ARCHIVE_CHOICES } from "./archive-words.ts";
import { changeIssues, restoreIssues } from "./change-issues.server.ts";
import { deleteIssues } from "./delete-issues.server.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { findFilter } from "./list-issues.server.ts";
import { parsePrevious, serializePrevious } from "./previous-statuses.ts";

/** As many issues as one form may name; a page has 25. */
const MAX_NAMED = 200;

/**
 * What the list says afterwards. `undo` is what an undo form sends back; null when nothing changed, or more than such a form
 * may hold.
 */
export type IssuesChangeAnswer =
  | {
      ok: true;
      kind: "status";
      status: IssueStatus;
      isInNextRelease: boolean;
      /** Why and when they come back, after “archived”: `for 1 day`; null: they do not. */
      archivedFor: string | null;
      count: number;
      undo: string | null;
    }
  | { ok: true; kind: "undo"; count: number }
  | { ok: true; kind: "deleted"; count: number }
  | { ok: false; message: string };

interface ListChange {
  status: IssueStatus;
  resolution?: ResolutionRequest;
  archive?: ArchiveRule;
}

const CHANGE_OF_INTENT: Record<string, ListChange> = {
  resolve: { status: "resolved" },
  "resolve-in-next-release": { status: "resolved", resolution: { kind: "next_release" } },
  archive: { status: "archived" },
  reopen: { status: "unresolved" },
};

const INTENTS = [...Object.keys(CHANGE_OF_INTENT), ...ARCHIVE_CHOICES.map(toIntent), "delete", "undo"];

/**
 * Does what the list's form asks for: `intent` is one of INTENTS with `issue` (repeated) or `scope=all-matching`, which means all that `filters` find; or undo with `previous`.
 */
export async function changeListedIssues(
  workspace: Workspace,
  { form, filters, now }: { form: FormData; filters: IssueFilters; now: number },
): Promise<IssuesChangeAnswer> {
  const intent = form.get("intent");
  if (intent === "undo") {
    const previous = parsePrevious(form.get("previous"));
    if (!previous) return refused("There is nothing to undo.");
    await restoreIssues(workspace, { previous, now });
    return { ok: true, kind: "undo", count: previous.length };
  }
  const archiveChoice = ARCHIVE_CHOICES.find((choice) => intent === toIntent(choice));
  const change: ListChange | undefined = archiveChoice
    ? { status: "archived", archive: { kind: "until", until: now + archiveChoice.ms } }
    : toChange(intent);
  if (!change && intent !== "delete") return refused(`intent: Must be one of ${INTENTS.join(", ")}.`);
  const isAllMatching = form.get("scope") === "all-matching";
  const named = isAllMatching ? [] : form.getAll("issue").map(Number);
  if (!isAllMatching && named.length === 0) return refused("Select the issues first.");
  if (named.length > MAX_NAMED) return refused(`Name at most ${MAX_NAMED} issues at once.`);
  if (!named.every((id) => Number.isSafeInteger(id) && id > 0))
    return refused("issue: Must be a positive whole number.");
  const matching = isAllMatching ? await findFilter(workspace, { filters, now }) : null;
  if (matching && !matching.ok) return refused(matching.message);
  const issues = matching ? matching.filter : named;
  if (!change) {
    const { deletedCount } = await deleteIssues(workspace, { issues, now });
    return { ok: true, kind: "deleted", count: deletedCount };
  }
  const { previous } = await changeIssues(workspace, { issues, ...change, now });
  return {
    ok: true,
    kind: "status",
    status: change.status,
    isInNextRelease: change.resolution?.kind === "next_release",
    archivedFor: archiveChoice?.label.toLowerCase() ?? null,
    count: previous.length,
    undo: serializePrevious(previous),
  };
}

function toChange(intent: unknown): ListChange | undefined {
  return typeof intent === "string" && Object.hasOwn(CHANGE_OF_INTENT, intent) ? CHANGE_OF_INTENT[intent] : undefined;
}

function toIntent({ name }: { name: string }): string {
  return `archive-${name}`;
}

function refused(message: string): IssuesChangeAnswer {
  return { ok: false, message };
}
