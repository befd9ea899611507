import type { SentryEvent } from "../domain/event.ts";
import type { Issue } from "../domain/issue.ts";
import { matchOwnership, readOwnedFacts } from "../domain/ownership/match-ownership.ts";
import { createOwnerNames, type NameOwner } from "../domain/ownership/owners.ts";
import { readOwnershipRules } from "../domain/ownership/ownership-rules.ts";
import { rankSuggestions, type SuggestedOwner, type SuggestionReason } from "../domain/ownership/suggested-owner.ts";
import { cleanReleaseVersion } from "../domain/release-version.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventReader } from "../stores/events/event-store.ts";
import { ignoreDamaged } from "../stores/payload-store.ts";
import { MAX_MEMBERS } from "../stores/state/member-store.ts";
import type { State } from "../stores/state/state.ts";
import { findSuspects } from "./find-suspects.ts";

export interface SuggestionParts {
  state: Pick<State, "rules" | "projects" | "releases" | "members" | "comments" | "triage">;
  events: Pick<EventReader, "listEvents">;
  payloads: Pick<EventPayloads, "readEvent">;
  scope: Scope;
}

type Found = { owner: string; reason: SuggestionReason };

/**
 * Who could work on the issue, with the reasons: the owners by the rules of its project, the authors of commits that changed files of its stack, and who
 * spoke last. Rules and commits are asked for its latest event. Only members and teams that see the project.
 */
export async function suggestOwners(
  parts: SuggestionParts,
  issue: Pick<Issue, "id" | "projectId">,
  {
    names = loadOwnerNames(parts, issue.projectId),
    looksAtEvent = true,
  }: {
    /** A caller with many issues loads the people of a project once. */
    names?: Promise<NameOwner>;
    /** False: it is known that no event of the project names anybody. */
    looksAtEvent?: boolean;
  } = {},
): Promise<SuggestedOwner[]> {
  const [stored, nameOwner, lastComment] = await Promise.all([
    looksAtEvent ? readLatest(parts, issue) : null,
    names,
    findLastComment(parts, issue),
  ]);
  const found = stored === null ? [] : await findOwners(parts, issue, stored);
  return rankSuggestions([...toAssignees(found, nameOwner), ...toAssignees(lastComment, nameOwner)]);
}

async function readLatest(
  { events, payloads, scope }: SuggestionParts,
  { id, projectId }: Pick<Issue, "id" | "projectId">,
): Promise<{ event: SentryEvent; at: number } | null> {
  const { projectIds } = narrowScope(scope, [projectId]);
  const page = await events.listEvents({ projectIds, issueId: id, from: null, to: null }, { cursor: null, limit: 1 });
  const [row] = page.events;
  if (!row) return null;
  const stored = await ignoreDamaged(payloads.readEvent(row.payload));
  return stored && { event: stored.event, at: row.occurredAt };
}

async function findOwners(
  parts: SuggestionParts,
  { projectId }: Pick<Issue, "projectId">,
  { event, at }: { event: SentryEvent; at: number },
): Promise<Found[]> {
  const { state, scope } = parts;
  const version = cleanReleaseVersion(event.release ?? "");
  const [rules, project, suspects] = await Promise.all([
    state.rules.getRules(scope, projectId),
    state.projects.getProject(scope, projectId),
    version === null ? [] : findSuspects(parts, { version, event }),
  ]);
  const read = rules && readOwnershipRules(rules.ownership.text);
  const facts = readOwnedFacts(event, project?.sourceLinks?.codeMappings ?? []);
  const [rule] = read?.ok ? matchOwnership(read.rules, facts).matches : [];
  const byRule = (rule?.owners ?? []).map((owner): Found => {
    const isCodeowners = rule?.matcher === "codeowners";
    return { owner, reason: { kind: "rule", rule: rule?.text ?? "", isCodeowners, at } };
  });
  const byCommit = suspects.flatMap(({ authorEmail, id, path, at: committedAt }): Found[] =>
    authorEmail === null
      ? []
      : [{ owner: authorEmail, reason: { kind: "commit", commitId: id, path, at: committedAt } }],
  );
  return [...byRule, ...byCommit];
}

async function findLastComment({ state, scope }: SuggestionParts, { id }: Pick<Issue, "id">): Promise<Found[]> {
  const [comment] = await state.comments.listComments(scope, id, 1);
  const writer = comment?.user && (await state.members.getMember(scope, comment.user.id));
  return comment && writer ? [{ owner: writer.email, reason: { kind: "comment", at: comment.at } }] : [];
}

function toAssignees(found: readonly Found[], nameOwner: NameOwner) {
  return found.flatMap(({ owner, reason }) => {
    const named = nameOwner(owner);
    return named.state === "found" ? [{ assignee: named.assignee, reason }] : [];
  });
}

/** Who the owners in the rules of a project are. */
export async function loadOwnerNames(
  { state, scope }: { state: Pick<State, "members" | "triage">; scope: Scope },
  projectId: number,
): Promise<NameOwner> {
  const [assignees, members, teams] = await Promise.all([
    state.triage.listAssignees(scope, { projectId, limit: MAX_MEMBERS }),
    state.members.listMembers(scope),
    state.members.listTeams(scope),
  ]);
  return createOwnerNames({ assignees, members, teams });
}
