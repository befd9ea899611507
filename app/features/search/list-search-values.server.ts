import type { Workspace } from "../../access/workspace.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import { findIssue } from "../issues/get-issue-page.server.ts";

/** As many as the list under the field shows. */
export const MAX_VALUES = 10;
/** Looked at for those that begin with the letters, before those that hold them. */
const MAX_READ = 50;
const MAX_TEXT_LENGTH = 250;

/** Tags of so many of the newest events are looked at. */
const LOOKED_AT = 2_000;
/** Of a tag, the most frequent ones. */
const MAX_TAG_VALUES = 1_000;
const MAX_KEY_LENGTH = 200;

/** Values of a key of the search that are too many to come with the page. `share`: of the events looked at, from 0 to 1. */
export interface SearchValues {
  values: Array<{ value: string; share: number | null; lines?: number }>;
  /** Whether the list is complete for these letters: then more letters need no new request. */
  isAll: boolean;
}

/** Keys of tags (`key` null) or values of one, in projects (slugs; none: in all) or in the events of an issue. */
export interface ValueRequest {
  key: string | null;
  text: string;
  slugs: readonly string[];
  /** As in the address of its page; null: none. */
  issueId: string | null;
}

/** What could stand in a search and holds the letters. Null when there is no such issue. */
export async function listSearchValues(
  workspace: Workspace,
  { key, text, slugs, issueId }: ValueRequest,
): Promise<SearchValues | null> {
  const issue = issueId === null ? null : await findIssue(workspace, issueId);
  if (issueId !== null && !issue) return null;
  if (isTooLong(key, text)) return { values: [], isAll: true };
  if (issue === null && (key === "release" || key === "first-release" || key === "firstrelease"))
    return listReleaseValues(workspace, { text, slugs });
  const { projectIds } = issue
    ? narrowScope(workspace.scope, [issue.projectId])
    : await chooseProjects(workspace, slugs);
  const { tags, countedEvents, isSampled } = await workspace.events.tagDistributions(
    { projectIds, from: null, to: null, ...(issue && { issueId: issue.id }) },
    { newest: LOOKED_AT, ...(key === null ? { valuesPerKey: 1 } : { keys: [key], valuesPerKey: MAX_TAG_VALUES }) },
  );
  const counted = key === null ? tags.map((tag) => ({ value: tag.key, count: tag.total })) : (tags[0]?.values ?? []);
  const matching = rankByLetters(counted, text);
  // All keys come at once, and need no further request.
  const limit = key === null ? matching.length : MAX_VALUES;
  return {
    values: matching
      .slice(0, limit)
      .map(({ value, count }) => ({ value, share: countedEvents > 0 ? count / countedEvents : null })),
    isAll: matching.length <= limit && (key === null || !isSampled),
  };
}

export function isTooLong(key: string | null, text: string): boolean {
  return text.length > MAX_TEXT_LENGTH || (key?.length ?? 0) > MAX_KEY_LENGTH;
}

/** Those that hold the letters, in whatever case: those that begin with them first. */
export function rankByLetters<Counted extends { value: string }>(counted: readonly Counted[], text: string): Counted[] {
  const letters = text.toLowerCase();
  const matching = counted.filter(({ value }) => value.toLowerCase().includes(letters));
  const begins = matching.filter(({ value }) => value.toLowerCase().startsWith(letters));
  const holds = matching.filter(({ value }) => !value.toLowerCase().startsWith(letters));
  return [...begins, ...holds];
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
 * Versions that hold the letters, of releases that are not archived: those that begin with them first, in each half the
 * newest first. `slugs`: of any of these projects; empty: of all.
 */
async function listReleaseValues(
  workspace: Workspace,
  { text, slugs }: { text: string; slugs: readonly string[] },
): Promise<SearchValues> {
  const { state } = workspace;
  const chosen = await chooseProjects(workspace, slugs);
  const letters = text.toLowerCase();
  const { releases, nextCursor } = await state.releases.listReleases(chosen, {
    status: "open",
    ...(letters === "" ? {} : { text: letters }),
    sort: "date",
    cursor: null,
    limit: MAX_READ,
  });
  const versions = releases.map(({ version }) => version);
  const begins = versions.filter((version) => version.toLowerCase().startsWith(letters));
  const holds = versions.filter((version) => !version.toLowerCase().startsWith(letters));
  return {
    values: [...begins, ...holds].slice(0, MAX_VALUES).map((value) => ({ value, share: null })),
    isAll: nextCursor === null && versions.length <= MAX_VALUES,
  };
}
