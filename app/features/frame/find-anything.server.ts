import type { Workspace } from "../../access/workspace.ts";
import { listTests } from "../../domain/search/condition.ts";
import { isOfIssue } from "../../domain/search/issue-vocabulary.ts";
import { planIssueSearch } from "../issues/plan-issue-search.ts";
import { isLookedUp } from "../issues/resolve-search-names.server.ts";
import { toIssueQuery } from "../issues/to-issue-query.ts";
import { toReleasePath } from "../releases/release-paths.ts";
import { findPastedPlace, type PastedPlace, toPastedPath } from "../search/find-pasted-place.server.ts";
import type { FoundPlace } from "./found-place.ts";

const MAX_ISSUES = 6;
const MAX_RELEASES = 4;
/** A single letter is in nearly every title. */
const MIN_LETTERS = 2;
const MAX_TEXT_LENGTH = 250;
/** An address with the filters of a list may be longer than other text. Characters. */
const MAX_ADDRESS_LENGTH = 4_000;

/**
 * The places that a few letters may mean: first what an id or an address names, then issues of any status with these words (last seen
 * first), then releases. Empty: the text is too short or too long. `origin`: the server's own, as the browser names it.
 */
export async function findAnything(
  workspace: Workspace,
  typed: string,
  { origin }: { origin: string },
): Promise<FoundPlace[]> {
  const text = typed.trim();
  if (text.length < MIN_LETTERS || text.length > MAX_ADDRESS_LENGTH) return [];
  const pasted = await findPasted(workspace, text, origin);
  if (text.length > MAX_TEXT_LENGTH) return pasted;
  const [issues, releases] = await Promise.all([findIssues(workspace, text), findReleases(workspace, text)]);
  const places = [...pasted, ...issues, ...releases];
  return places.filter(({ to }, index) => places.findIndex((other) => other.to === to) === index);
}

async function findPasted(workspace: Workspace, text: string, origin: string): Promise<FoundPlace[]> {
  const place = await findPastedPlace(workspace, text, { origin });
  if (!place) return [];
  const label = await toLabel(workspace, place);
  return [{ kind: place.kind, to: toPastedPath(place), ...label }];
}

async function toLabel({ state, scope }: Workspace, place: PastedPlace): Promise<Pick<FoundPlace, "label" | "detail">> {
  if (place.kind === "page") return { label: place.path, detail: "" };
  if (place.kind === "trace") return { label: `Trace ${place.traceId}`, detail: "" };
  const issue = place.issueId === null ? null : await state.issues.getIssue(scope, place.issueId);
  if (place.kind === "event") return { label: `Event ${place.eventId}`, detail: issue?.shortId ?? "" };
  return { label: issue?.title ?? "", detail: issue?.shortId ?? "" };
}

async function findIssues({ state, scope }: Workspace, text: string): Promise<FoundPlace[]> {
  const { condition, errors } = planIssueSearch(text, Date.now());
  // The issue list also understands searches. Here there is no room for their errors, and no time to look at events.
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
