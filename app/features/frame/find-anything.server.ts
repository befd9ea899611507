import type { Workspace } from "../../access/workspace.ts";
import { listTests } from "../../domain/search/condition.ts";
import { isOfIssue } from "../../domain/search/issue-vocabulary.ts";
import { findNamedPlace, type NamedPlace, toNamedPath } from "../issues/find-named-place.server.ts";
import { planIssueSearch } from "../issues/plan-issue-search.ts";
import { isLookedUp } from "../issues/resolve-search-names.server.ts";
import { toIssueQuery } from "../issues/to-issue-query.ts";
import { toReleasePath } from "../releases/release-paths.ts";
import type { FoundPlace } from "./found-place.ts";

const MAX_ISSUES = 6;
const MAX_RELEASES = 4;
/** A single letter is in nearly every title. */
const MIN_LETTERS = 2;
const MAX_TEXT_LENGTH = 250;

/**
 * What a few letters may mean: first what an id names, then issues of any status with these words, the last seen first, then
 * releases. Empty for text that is too short or too long.
 */
export async function findAnything(workspace: Workspace, typed: string): Promise<FoundPlace[]> {
  const text = typed.trim();
  if (text.length < MIN_LETTERS || text.length > MAX_TEXT_LENGTH) return [];
  const [named, issues, releases] = await Promise.all([
    findNamed(workspace, text),
    findIssues(workspace, text),
    findReleases(workspace, text),
  ]);
  const places = [...named, ...issues, ...releases];
  return places.filter(({ to }, index) => places.findIndex((other) => other.to === to) === index);
}

async function findNamed(workspace: Workspace, text: string): Promise<FoundPlace[]> {
  const place = await findNamedPlace(workspace, text);
  if (!place) return [];
  const label = await toLabel(workspace, place);
  return [{ kind: place.kind, to: toNamedPath(place), ...label }];
}

async function toLabel({ state, scope }: Workspace, place: NamedPlace): Promise<Pick<FoundPlace, "label" | "detail">> {
  if (place.kind === "trace") return { label: `Trace ${place.traceId}`, detail: "" };
  const issue = place.issueId === null ? null : await state.issues.getIssue(scope, place.issueId);
  if (place.kind === "event") return { label: `Event ${place.eventId}`, detail: issue?.shortId ?? "" };
  return { label: issue?.title ?? "", detail: issue?.shortId ?? "" };
}

async function findIssues({ state, scope }: Workspace, text: string): Promise<FoundPlace[]> {
  const { condition, errors } = planIssueSearch(text, Date.now());
  // The issue list finds by other words; here there is no place for what is wrong with them, nor time to look at events.
  const isPlain = listTests(condition).every((test) => isOfIssue(test) && !isLookedUp(test));
  if (errors.length > 0 || !isPlain) return [];
  const { issues } = await state.issues.listIssues(scope, {
    ...toIssueQuery(condition),
    from: null,
    to: null,
    sort: "last_seen",
    cursor: null,
    limit: MAX_ISSUES,
  });
  return issues.map(({ id, shortId, title }) => ({
    kind: "issue",
    to: `/issues/${id}`,
    label: title,
    detail: shortId,
  }));
}

async function findReleases({ state, scope }: Workspace, text: string): Promise<FoundPlace[]> {
  const { releases } = await state.releases.listReleases(scope, {
    status: "open",
    text: text.toLowerCase(),
    sort: "date",
    cursor: null,
    limit: MAX_RELEASES,
  });
  return releases.map(({ version }) => ({ kind: "release", to: toReleasePath(version), label: version, detail: "" }));
}
