import type { Workspace } from "../../access/workspace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import type { Issue } from "../../domain/issue.ts";
import { matchOwnership, readOwnedFacts } from "../../domain/ownership/match-ownership.ts";
import type { NameOwner } from "../../domain/ownership/owners.ts";
import { readOwnershipRules } from "../../domain/ownership/ownership-rules.ts";
import { rankSuggestions, type SuggestedOwner, type SuggestionReason } from "../../domain/ownership/suggested-owner.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DamagedPayloadError } from "../../stores/payload-store.ts";
import { getEventCode } from "../events/get-event-code.server.ts";
import { loadOwnerNames } from "./load-owner-names.server.ts";

type Found = { owner: string; reason: SuggestionReason };

/**
 * Who could work on the issue, with the reasons: the owners by the rules of its project, the authors of commits that changed files of its stack, and who
 * spoke last. Rules and commits are asked for its latest event. Only members and teams that see the project.
 */
export async function suggestOwners(workspace: Workspace, issue: Issue): Promise<SuggestedOwner[]> {
  const [stored, nameOwner, lastComment] = await Promise.all([
    readLatest(workspace, issue),
    loadOwnerNames(workspace, issue.projectId),
    findLastComment(workspace, issue),
  ]);
  const found = stored === null ? [] : await findOwners(workspace, issue, stored);
  return rankSuggestions([...toAssignees(found, nameOwner), ...toAssignees(lastComment, nameOwner)]);
}

async function readLatest(
  { events, payloads, scope }: Workspace,
  issue: Issue,
): Promise<{ event: SentryEvent; at: number } | null> {
  const { projectIds } = narrowScope(scope, [issue.projectId]);
  const page = await events.listEvents(
    { projectIds, issueId: issue.id, from: null, to: null },
    { cursor: null, limit: 1 },
  );
  const [row] = page.events;
  if (!row) return null;
  try {
    const stored = await payloads.readEvent(row.payload);
    return stored && { event: stored.event, at: row.occurredAt };
  } catch (error) {
    if (error instanceof DamagedPayloadError) return null;
    throw error;
  }
}

async function findOwners(
  workspace: Workspace,
  { projectId }: Issue,
  { event, at }: { event: SentryEvent; at: number },
): Promise<Found[]> {
  const [rules, code] = await Promise.all([
    workspace.state.rules.getRules(workspace.scope, projectId),
    getEventCode(workspace, { projectId, event }),
  ]);
  const read = rules && readOwnershipRules(rules.ownership.text);
  const facts = readOwnedFacts(event, code.links?.codeMappings ?? []);
  const [rule] = read?.ok ? matchOwnership(read.rules, facts).matches : [];
  const byRule = (rule?.owners ?? []).map((owner): Found => {
    const isCodeowners = rule?.matcher === "codeowners";
    return { owner, reason: { kind: "rule", rule: rule?.text ?? "", isCodeowners, at } };
  });
  const byCommit = code.suspects.flatMap(({ authorEmail, id, path, at: committedAt }): Found[] =>
    authorEmail === null
      ? []
      : [{ owner: authorEmail, reason: { kind: "commit", commitId: id, path, at: committedAt } }],
  );
  return [...byRule, ...byCommit];
}

async function findLastComment({ state, scope }: Workspace, { id }: Issue): Promise<Found[]> {
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
