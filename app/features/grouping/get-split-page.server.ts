import type { Workspace } from "../../access/workspace.ts";
import {
  type IssueSplit,
  isSplitVariable,
  MAX_SPLIT_ISSUES,
  type SplitChoice,
  toSplitChoice,
} from "../../domain/grouping-rules/issue-split.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";

export interface SplitPreview {
  variable: string;
  /** The number of events that were grouped again: the newest of the issue. */
  eventCount: number;
  tookMs: number;
  isCut: boolean;
  unreadableCount: number;
  /** The issues that the split would make, the largest first, at most `MAX_SPLIT_ISSUES`. */
  issues: Array<{ title: string; eventCount: number; examples: Array<{ eventId: string; occurredAt: number }> }>;
  /** The number of issues beyond the limit. Their events would stay. */
  beyondCount: number;
  stayCount: number;
}

export interface SplitPage {
  issue: { id: number; shortId: string; title: string; eventCount: number };
  choices: SplitChoice[];
  /** Splits of the issue, and splits that the issue came from. */
  splits: IssueSplit[];
  preview: SplitPreview | null;
  /** Why there is no preview. Null: there is one, or none was requested. */
  problem: { message: string; status: 400 | 429 } | null;
}

/** Tags that say who or what sent the event, and not what went wrong. */
const LEFT_OUT_TAGS = new Set(["user", "trace", "level", "release", "environment", "transaction", "logger"]);
const VALUES_PER_KEY = 8;

/** What the issue can be split by, its earlier splits, and a preview. */
export async function getSplitPage(
  workspace: Workspace,
  { issue, variable }: { issue: Issue; variable: string },
): Promise<SplitPage> {
  const { state, scope } = workspace;
  const { id, shortId, title, eventCount, projectId } = issue;
  const [choices, splits] = await Promise.all([
    listChoices(workspace, issue),
    state.issueSplits.listSplits(scope, { projectId, issueId: id }),
  ]);
  const page: SplitPage = {
    issue: { id, shortId, title, eventCount },
    choices,
    splits,
    preview: null,
    problem: null,
  };
  if (variable === "") return page;
  if (!isSplitVariable(variable))
    return { ...page, problem: { status: 400, message: "An issue cannot be split by this value." } };
  const preview = await previewSplit(workspace, { issue, variable });
  return preview === null
    ? { ...page, problem: { status: 429, message: "Others preview rules right now. Try again in some seconds." } }
    : { ...page, preview };
}

async function listChoices(workspace: Workspace, issue: Issue): Promise<SplitChoice[]> {
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const filter = { projectIds, issueId: issue.id, from: null, to: null };
  const [spread, ofPayloads] = await Promise.all([
    readStoredEvents(
      workspace,
      () => workspace.events.tagDistributions(filter, { valuesPerKey: VALUES_PER_KEY }),
      ({ countedEvents }) => countedEvents === 0,
    ),
    workspace.listSplitValues({ projectId: issue.projectId, issueId: issue.id }),
  ]);
  const ofTags = spread.tags.flatMap(({ key, total, distinctCount, values }) => {
    const variable = `tags.${key}`;
    if (LEFT_OUT_TAGS.has(key) || !isSplitVariable(variable)) return [];
    const counted = { eventCount: spread.countedEvents, distinctCount, values };
    return toSplitChoice(variable, counted, total) ?? [];
  });
  // Keys with few values come first: those are kinds, and many values are often ids.
  return [...ofPayloads.choices, ...ofTags].sort((a, b) => a.distinctCount - b.distinctCount);
}

async function previewSplit(
  { state, scope, previewGrouping }: Workspace,
  { issue, variable }: { issue: Issue; variable: string },
): Promise<SplitPreview | null> {
  const { projectId } = issue;
  const [rules, hashes] = await Promise.all([
    state.groupingRules.getRules(scope, projectId),
    state.issues.listIssueHashes(scope, issue.id),
  ]);
  const { fingerprintRules = "", stackRules = "" } = rules ?? {};
  const split = { id: 0, name: "", variable, hashes: hashes.map(({ hash }) => hash) };
  const found = await previewGrouping({ projectId, fingerprintRules, stackRules }, { split, issueId: issue.id });
  if (found === null) return null;
  const fresh = found.flows.flatMap(({ to, eventCount, examples }) =>
    to.kind === "new" ? [{ title: to.title, eventCount, examples }] : [],
  );
  const issues = fresh.slice(0, MAX_SPLIT_ISSUES);
  const leaving = issues.reduce((sum, each) => sum + each.eventCount, 0);
  const { eventCount, tookMs, isCut, unreadableCount } = found;
  return {
    variable,
    eventCount,
    tookMs,
    isCut,
    unreadableCount,
    issues,
    beyondCount: Math.max(0, found.flowCount - issues.length),
    stayCount: eventCount - leaving,
  };
}
