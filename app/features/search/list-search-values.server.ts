import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { toAssigneeName } from "../../domain/issues/triage.ts";
import { hasRight, narrowScope, type Scope } from "../../domain/scope.ts";
import { ISSUE_VOCABULARY, isOfIssue } from "../../domain/search/issue-vocabulary.ts";
import { findField, type SearchField } from "../../domain/search/search-field.ts";
import type { CountedIssueField } from "../../stores/state/issue-store.ts";
import { findIssue } from "../issues/get-issue-page.server.ts";
import { isAssigneeKey } from "../issues/search-assignees.server.ts";
import { isTooLong, MAX_VALUES, rankByLetters, toSearchValues } from "./rank-by-letters.ts";
import { COUNTED_EVENTS, type SearchValues, type ValueCount } from "./search-values.ts";

/** Values that are read to find those that begin with the letters, which come before those that contain them. */
const MAX_READ = 50;
/** The most frequent values of a tag or a field are counted, at most this many. */
const MAX_COUNTED = 1_000;
const MAX_TAGS = 200;

/** Asks for keys of tags (`key` null) or values of one, in projects (slugs; none: all) or in the events of an issue. */
export interface ValueRequest {
  key: string | null;
  text: string;
  slugs: readonly string[];
  /** The id as in the address of the issue's page; null: no issue. */
  issueId: string | null;
}

const NOTHING: SearchValues = { values: [], isAll: true };
const ofEvents = (count: number): ValueCount => ({ count, of: "events" });

/** Values that contain the letters, with the number of issues or events that have them. Null: there is no such issue. */
export async function listSearchValues(
  workspace: Workspace,
  { key, text, slugs, issueId }: ValueRequest,
): Promise<SearchValues | null> {
  const issue = issueId === null ? null : await findIssue(workspace, issueId);
  if (issueId !== null && !issue) return null;
  if (isTooLong(key, text)) return NOTHING;
  if (issue) return listValuesOfIssue(workspace, { issue, key, text });
  const chosen = await chooseProjects(workspace, slugs);
  if (key === null) return listTags(workspace, chosen, text);
  const field = findField(ISSUE_VOCABULARY, key);
  if (field?.type === "version") return listReleaseValues(workspace, { chosen, text, key: field.key });
  const ofIssue = field && isOfIssue({ field: field.fields[0] ?? "", isTag: false }) && !field.isTag;
  if (ofIssue) return listIssueValues(workspace, { chosen, text, field });
  if (field && (field.type !== "text" || field.key === "sdk")) return NOTHING;
  return listTagValues(workspace, { chosen, text, key: field?.key ?? key, prefix: toPrefix(field) });
}

async function listTags({ events }: Workspace, { projectIds }: Scope, text: string): Promise<SearchValues> {
  const keys = await events.listTagKeys(projectIds, MAX_TAGS);
  return toSearchValues(
    keys.map(({ key, count }) => ({ value: key, count })),
    // All keys come at once, so there is no further request.
    { text, limit: MAX_TAGS, isWhole: true, toCount: ofEvents },
  );
}

/** The prefix of the field's stored values, like `id:` for `user.id`. */
function toPrefix(field: SearchField | undefined): string {
  return field?.prefixes?.length === 1 ? `${field.prefixes[0]}:` : "";
}

async function listTagValues(
  { events }: Workspace,
  { chosen, text, key, prefix }: { chosen: Scope; text: string; key: string; prefix: string },
): Promise<SearchValues> {
  const asked = { projectIds: chosen.projectIds, key: prefix === "" ? key : "user", part: prefix === "" ? text : "" };
  const limit = prefix === "" ? MAX_VALUES + 1 : MAX_COUNTED;
  const found = await events.listTagValues(asked, limit);
  const counted = found
    .filter(({ value }) => value.startsWith(prefix))
    .map(({ value, count }) => ({ value: value.slice(prefix.length), count }));
  return toSearchValues(counted, { text, isWhole: found.length < limit, toCount: ofEvents });
}

const IS_VALUES = [
  ["status", (value: string) => value],
  ["substatus", (value: string) => value],
  ["isUnhandled", (value: string) => (value === "1" ? "unhandled" : "handled")],
] as const;
/** Fields of issues whose values are counted, by their key. */
const COUNTED_FIELDS: Readonly<Record<string, CountedIssueField>> = {
  level: "level",
  platform: "platform",
  "error.type": "type",
  culprit: "culprit",
  project: "projectId",
};

/** Words like `me`, then members and teams who see one of the projects, if the reader may read members. Their issues are not counted. */
async function listAssigneeValues({ state }: Workspace, chosen: Scope, text: string): Promise<SearchValues> {
  const people = hasRight(chosen, "member:read")
    ? await state.triage.listAssignees(chosen, { projectId: null, limit: MAX_COUNTED })
    : [];
  const values = ["me", "my_teams", "none", ...people.map(toAssigneeName)];
  const matching = rankByLetters(
    [...new Set(values)].map((value) => ({ value })),
    text,
  );
  return {
    values: matching.slice(0, MAX_VALUES).map(({ value }) => ({ value, counted: null })),
    isAll: matching.length <= MAX_VALUES,
  };
}

async function listIssueValues(
  workspace: Workspace,
  { chosen, text, field }: { chosen: Scope; text: string; field: SearchField },
): Promise<SearchValues> {
  const { state, scope } = workspace;
  if (isAssigneeKey(field.key)) return listAssigneeValues(workspace, chosen, text);
  const count = (counted: CountedIssueField) =>
    state.issues.countIssueValues(chosen, { field: counted, limit: MAX_COUNTED });
  if (field.key === "is") {
    const lists = await Promise.all(
      IS_VALUES.map(async ([counted, toValue]) => {
        const { values, isComplete } = await count(counted);
        return { isComplete, values: values.map((each) => ({ ...each, value: toValue(each.value) })) };
      }),
    );
    return toSearchValues(
      lists.flatMap(({ values }) => values),
      { text, isWhole: true, toCount: ofIssues(lists.every(({ isComplete }) => isComplete)) },
    );
  }
  const counted = COUNTED_FIELDS[field.key];
  if (counted === undefined) return NOTHING;
  const { values, isComplete } = await count(counted);
  const isWhole = values.length < MAX_COUNTED;
  if (counted !== "projectId") return toSearchValues(values, { text, isWhole, toCount: ofIssues(isComplete) });
  const slugs = new Map((await state.projects.listProjects(scope)).map(({ id, slug }) => [String(id), slug]));
  const named = values.map((each) => ({ ...each, value: slugs.get(each.value) ?? "" }));
  // The page itself searches the names.
  return toSearchValues(named, { text: "", limit: MAX_COUNTED, isWhole: true, toCount: ofIssues(isComplete) });
}

function ofIssues(isComplete: boolean): (count: number) => ValueCount {
  return (count) => ({ count, of: "issues", ...(!isComplete && { isAtLeast: true }) });
}

async function listValuesOfIssue(
  { scope, events }: Workspace,
  { issue, key, text }: { issue: Issue; key: string | null; text: string },
): Promise<SearchValues> {
  const { projectIds } = narrowScope(scope, [issue.projectId]);
  const { tags, countedEvents, isSampled } = await events.tagDistributions(
    { projectIds, from: null, to: null, issueId: issue.id },
    { newest: COUNTED_EVENTS, ...(key === null ? { valuesPerKey: 1 } : { keys: [key], valuesPerKey: MAX_COUNTED }) },
  );
  const counted = key === null ? tags.map((tag) => ({ value: tag.key, count: tag.total })) : (tags[0]?.values ?? []);
  return toSearchValues(counted, {
    text,
    limit: key === null ? counted.length : MAX_VALUES,
    isWhole: key === null || !isSampled,
    toCount: (count) => ({ share: count / countedEvents }),
  });
}

/** The projects of these slugs; without any, all. */
export async function chooseProjects(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  slugs: readonly string[],
): Promise<Scope> {
  if (slugs.length === 0) return scope;
  const projects = await state.projects.listProjects(scope);
  return narrowScope(
    scope,
    projects.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id),
  );
}

/**
 * Versions of releases that are not archived and contain the letters. Those that begin with them come first, then the newest. The count is
 * that of a release's events, or of the issues that are new in it.
 */
async function listReleaseValues(
  { state, events }: Workspace,
  { chosen, text, key }: { chosen: Scope; text: string; key: string },
): Promise<SearchValues> {
  const letters = text.toLowerCase();
  const { releases, nextCursor } = await state.releases.listReleases(chosen, {
    status: "open",
    ...(letters === "" ? {} : { text: letters }),
    sort: "date",
    cursor: null,
    limit: MAX_READ,
  });
  const versions = releases.map(({ version }) => version);
  const { counts, toCount } =
    key === "first-release"
      ? await countNewIssues(state, chosen)
      : {
          counts: await events.listTagValues({ projectIds: chosen.projectIds, key, values: versions }, MAX_READ),
          toCount: ofEvents,
        };
  const byVersion = new Map(counts.map(({ value, count }) => [value, count]));
  return toSearchValues(
    versions.map((value) => ({ value, count: byVersion.get(value) ?? 0 })),
    { text, isWhole: nextCursor === null, toCount },
  );
}

async function countNewIssues({ issues }: Workspace["state"], chosen: Scope) {
  const { values, isComplete } = await issues.countIssueValues(chosen, { field: "firstRelease", limit: MAX_COUNTED });
  return { counts: values, toCount: ofIssues(isComplete) };
}
