import { scopeOfServer } from "../access/server-scope.ts";
import type { Assignee } from "../domain/issues/triage.ts";
import { matchOwnership, readOwnedFacts } from "../domain/ownership/match-ownership.ts";
import { createOwnerNames, findRuleAssignee } from "../domain/ownership/owners.ts";
import { readOwnershipRules } from "../domain/ownership/ownership-rules.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { MAX_MEMBERS } from "../stores/state/member-store.ts";
import type { State } from "../stores/state/state.ts";
import { readStored } from "./read-stored.ts";

export interface OwnerFinderParts {
  state: Pick<State, "rules" | "projects" | "members" | "triage">;
  events: Pick<EventStore, "getEvent">;
  payloads: Pick<EventPayloads, "readEvent">;
}

export interface OwnerFinder {
  /** Whether the rules assign new issues. */
  isAssigning: boolean;
  /** Null: the event does not exist any more, no rule matches it, or nobody in the rule sees the project. */
  find(eventId: string): Promise<{ rule: string; assignee: Assignee } | null>;
}

/** Prepares the ownership rules of a project, which find the owners of its errors. Null: it has no rules. */
export async function openOwnerFinder(
  { state, events, payloads }: OwnerFinderParts,
  projectId: number,
): Promise<OwnerFinder | null> {
  const scope = scopeOfServer([projectId]);
  const rules = await state.rules.getRules(scope, projectId);
  const read = rules && readOwnershipRules(rules.ownership.text);
  if (!read?.ok || read.rules.length === 0) return null;
  const [project, assignees, members, teams] = await Promise.all([
    state.projects.getProject(scope, projectId),
    state.triage.listAssignees(scope, { projectId, limit: MAX_MEMBERS }),
    state.members.listMembers(scope),
    state.members.listTeams(scope),
  ]);
  const nameOwner = createOwnerNames({ assignees, members, teams });
  const mappings = project?.sourceLinks?.codeMappings ?? [];

  return {
    isAssigning: rules?.ownership.isAssigning ?? false,
    async find(eventId) {
      const stored = await readStored({ events, payloads }, scope, eventId);
      if (!stored) return null;
      const [rule] = matchOwnership(read.rules, readOwnedFacts(stored.event, mappings)).matches;
      const assignee = rule ? findRuleAssignee(rule, nameOwner) : null;
      return rule && assignee ? { rule: rule.text, assignee } : null;
    },
  };
}
