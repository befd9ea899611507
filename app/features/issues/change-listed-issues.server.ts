import type { Workspace } from "../../access/workspace.ts";
import type { IssueStatus } from "../../domain/issue.ts";
import type { ArchiveRule } from "../../domain/issues/archive-rule.ts";
import { isPriority, PRIORITIES } from "../../domain/issues/priority.ts";
import { sayArchiveRule } from "../../domain/issues/say-archive.ts";
import { type NewTriage, toAssigneeName } from "../../domain/issues/triage.ts";
import type { ResolutionRequest } from "../../domain/release.ts";
import { mergeIssues, toMergesText } from "../grouping/merge-issues.server.ts";
import { ARCHIVE_CHOICES, ARCHIVE_RULE_FIELDS } from "./archive-choices.ts";
import { changeIssues, type IssueFilter } from "./change-issues.server.ts";
import { deleteIssues } from "./delete-issues.server.ts";
import { findAssignee, toRef } from "./find-assignee.server.ts";
import type { IssueFilters } from "./issue-filters.ts";
import { serializePrevious } from "./previous-statuses.ts";
import { serializePreviousTriage } from "./previous-triage.ts";
import { readArchiveForm } from "./read-archive-form.ts";
import { readListedIssues } from "./read-listed-issues.server.ts";
import { toCommitResolution } from "./resolution-text.ts";
import { triageIssues } from "./triage-issues.server.ts";
import { sayRefused } from "./triage-words.ts";
import { undoListedChange } from "./undo-listed-change.server.ts";

/**
 * The list's answer to a change. `undo`: the text for an undo form. Null if nothing changed, or if the text would be too long for a
 * form.
 */
export type IssuesChangeAnswer =
  | {
      ok: true;
      kind: "status";
      status: IssueStatus;
      /** Words after “resolved”: `in the next release`, `by a commit`. Null: at once. */
      resolvedIn: string | null;
      /** Words after “archived” that say when the issues come back: `for 1 day`, `until 100 more events`. Null: they do not come back. */
      archivedFor: string | null;
      count: number;
      undo: string | null;
    }
  | {
      ok: true;
      kind: "triage";
      /** Words after “3 issues”: `assigned to Sam`, `at high priority`. */
      words: string;
      count: number;
      /** A sentence about issues that were not changed. Null: there were none. */
      refusal: string | null;
      undo: string | null;
    }
  | { ok: true; kind: "merged"; count: number; into: string; isOnce: boolean; undo: string }
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
  "resolve-in-latest-release": { status: "resolved", resolution: { kind: "latest_release" } },
  archive: { status: "archived" },
  "archive-escalates": { status: "archived", archive: { kind: "escalates" } },
  reopen: { status: "unresolved" },
};

const RESOLVED_IN: Record<ResolutionRequest["kind"], string> = {
  next_release: "in the next release",
  latest_release: "in the current release",
  release: "in a release",
  commit: "by the commit",
};

const INTENTS = [
  ...Object.keys(CHANGE_OF_INTENT),
  "resolve-in-commit",
  ...ARCHIVE_CHOICES.map(toIntent),
  "archive-until",
  "archive-count",
  "assign:…",
  "priority:…",
  "merge",
  "merge-once",
  "delete",
  "undo",
];

/**
 * Handles the form of the issue list. `intent` is one of INTENTS, for the issues of `readListedIssues`, or undo, with `previous`
 * (see `undoListedChange`). `resolve-in-commit` takes `commit` and `repository`. `merge` and `merge-once` (without a rule for later
 * events) need named issues. `assign:` is followed by an assignee (see `findAssignee`), `priority:` by a priority or `auto`.
 * `archive-until` and `archive-count` take the fields of `readArchiveForm`.
 */
export async function changeListedIssues(
  workspace: Workspace,
  { form, filters, now }: { form: FormData; filters: IssueFilters; now: number },
): Promise<IssuesChangeAnswer> {
  const intent = form.get("intent");
  if (intent === "undo") return await undoListedChange(workspace, { previous: form.get("previous"), now });
  const archiving = readArchiving(form, intent, now);
  if (archiving && !archiving.ok) return refused(archiving.message);
  const commit = intent === "resolve-in-commit" ? readCommit(form) : null;
  if (commit === undefined) return refused("commit: Must be the id of a commit: letters and digits, at most 64.");
  const change: ListChange | undefined = archiving
    ? { status: "archived", archive: archiving.rule }
    : commit
      ? { status: "resolved", resolution: commit }
      : toChange(intent);
  const triage = await readTriage(workspace, intent);
  if (triage && !triage.ok) return refused(triage.message);
  if (!change && !triage && intent !== "delete" && intent !== "merge" && intent !== "merge-once")
    return refused(`intent: Must be one of ${INTENTS.join(", ")}.`);
  const listed = await readListedIssues(workspace, { form, filters, now });
  if (!listed.ok) return listed;
  const { issues } = listed;
  if (intent === "merge" || intent === "merge-once")
    return await merge(workspace, issues, { isOnce: intent === "merge-once", now });
  if (triage) {
    const { previous, refusedCount } = await triageIssues(workspace, { issues, ...triage.change, now });
    return {
      ok: true,
      kind: "triage",
      words: triage.words,
      count: previous.length,
      refusal: refusedCount > 0 ? sayRefused(refusedCount, triage.name) : null,
      undo: serializePreviousTriage(previous),
    };
  }
  if (!change) {
    const { deletedCount } = await deleteIssues(workspace, { issues, now });
    return { ok: true, kind: "deleted", count: deletedCount };
  }
  const { previous } = await changeIssues(workspace, { issues, ...change, now });
  return {
    ok: true,
    kind: "status",
    status: change.status,
    resolvedIn: change.resolution ? RESOLVED_IN[change.resolution.kind] : null,
    archivedFor: archiving?.words ?? (change.archive ? sayArchiveRule(change.archive, previous.length) : null),
    count: previous.length,
    undo: serializePrevious(previous),
  };
}

/** Merges named issues only, never all that match: a person must have seen what becomes one issue. */
async function merge(
  workspace: Workspace,
  issueIds: readonly number[] | IssueFilter,
  { isOnce, now }: { isOnce: boolean; now: number },
): Promise<IssuesChangeAnswer> {
  if ("query" in issueIds || issueIds.length < 2)
    return refused("Select the two or more issues that are to be merged.");
  const merged = await mergeIssues(workspace, { issueIds, isOnce, now });
  if (!merged.ok) return refused(merged.message);
  const undo = toMergesText(merged.merges.map(({ id }) => id));
  return { ok: true, kind: "merged", count: merged.merges.length, into: merged.targetShortId, isOnce, undo };
}

/** Reads the intents `assign:` and `priority:`. Null for any other intent. */
async function readTriage(
  workspace: Workspace,
  intent: unknown,
): Promise<{ ok: true; change: NewTriage; words: string; name: string } | { ok: false; message: string } | null> {
  const [, kind, word = ""] = /^(assign|priority):(.*)$/s.exec(String(intent)) ?? [];
  if (kind === undefined) return null;
  if (kind === "priority") {
    if (word !== "auto" && !isPriority(word))
      return { ok: false, message: `priority: Must be one of ${[...PRIORITIES, "auto"].join(", ")}.` };
    const words = word === "auto" ? "at the priority of level and frequency" : `at ${word} priority`;
    return { ok: true, change: { priority: word === "auto" ? null : word }, words, name: "" };
  }
  const found = await findAssignee(workspace, word);
  if (!found.ok) return { ok: false, message: `assign: ${found.message}.` };
  const { assignee } = found;
  const name = assignee === null ? "nobody" : toAssigneeName(assignee);
  return { ok: true, change: { assignee: toRef(assignee) }, words: `assigned to ${name}`, name };
}

function toChange(intent: unknown): ListChange | undefined {
  return typeof intent === "string" && Object.hasOwn(CHANGE_OF_INTENT, intent) ? CHANGE_OF_INTENT[intent] : undefined;
}

/** The rule of an archive that ends, and its words after “archived”. Null for any other intent. */
function readArchiving(
  form: FormData,
  intent: unknown,
  now: number,
): { ok: true; rule: ArchiveRule; words: string } | { ok: false; message: string } | null {
  const choice = ARCHIVE_CHOICES.find((each) => intent === toIntent(each));
  if (choice) return { ok: true, rule: { kind: "until", until: now + choice.ms }, words: choice.label.toLowerCase() };
  if (intent !== "archive-until" && intent !== "archive-count") return null;
  const fields = new FormData();
  for (const name of ARCHIVE_RULE_FIELDS) fields.set(name, String(form.get(name) ?? ""));
  if (intent === "archive-until") fields.set("by", "time");
  const read = readArchiveForm(fields, now);
  if (!read.ok) return read;
  return read.rule
    ? { ok: true, rule: read.rule, words: sayArchiveRule(read.rule) }
    : { ok: false, message: "by: Must be one of events, users." };
}

function readCommit(form: FormData): ResolutionRequest | undefined {
  return toCommitResolution(String(form.get("commit") ?? ""), String(form.get("repository") ?? ""));
}

function toIntent({ name }: { name: string }): string {
  return `archive-${name}`;
}

function refused(message: string): IssuesChangeAnswer {
  return { ok: false, message };
}
