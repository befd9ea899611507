import type { Workspace } from "../../access/workspace.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import { matchOwnership, readOwnedFacts } from "../../domain/ownership/match-ownership.ts";
import { findRuleAssignee } from "../../domain/ownership/owners.ts";
import { readOwnershipRules } from "../../domain/ownership/ownership-rules.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope, type ScopedProjectIds } from "../../domain/scope.ts";
import { loadOwnerNames } from "../../ownership/suggest-owners.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { toEventId } from "../events/event-id.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";

/** The result of the rules for one event. */
export interface TriedEvent {
  eventId: string;
  title: string;
  occurredAt: number;
  /** The last rule that matches. Null: no rule does. */
  rule: { line: number; text: string; hasOwners: boolean } | null;
  /** Null: nobody gets the issue. */
  assignee: Assignee | null;
  /** True if matching the patterns took too long, so that earlier rules were not tried. */
  isCut: boolean;
}

/** The number of newest events of the project that are tried, unless one is named. */
const TRIED_EVENTS = 20;

/** Tries rules on stored events. Nothing is written. */
export async function tryOwnership(
  workspace: Workspace,
  project: Pick<Project, "id" | "sourceLinks">,
  { text, event }: { text: string; event: string },
): Promise<
  { ok: true; events: TriedEvent[] } | { ok: false; status: 400 | 404; field: "text" | "event"; message: string }
> {
  const read = readOwnershipRules(text);
  if (!read.ok) {
    const { line, column, message } = read.problem;
    return { ok: false, status: 400, field: "text", message: `Line ${line}, character ${column}: ${message}` };
  }
  const { projectIds } = narrowScope(workspace.scope, [project.id]);
  const eventId = event.trim() === "" ? null : toEventId(event.trim());
  if (event.trim() !== "" && eventId === null)
    return { ok: false, status: 400, field: "event", message: "This is no id of an event: it has 32 hex characters." };
  const rows = await readStoredEvents(
    workspace,
    () => listTried(workspace, projectIds, eventId),
    (found) => found.length === 0,
  );
  if (eventId !== null && rows.length === 0)
    return { ok: false, status: 404, field: "event", message: "The project has no such event." };
  const nameOwner = await loadOwnerNames(workspace, project.id);
  const events: TriedEvent[] = [];
  for (const row of rows) {
    const stored = await workspace.payloads.readEvent(row.payload);
    if (stored === null) continue;
    const facts = readOwnedFacts(stored.event, project.sourceLinks?.codeMappings ?? []);
    const { matches, isCut } = matchOwnership(read.rules, facts);
    const [rule] = matches;
    const { eventId: id, title, occurredAt } = row;
    events.push({
      ...{ eventId: id, title, occurredAt, isCut },
      rule: rule ? { line: rule.line, text: rule.text, hasOwners: rule.owners.length > 0 } : null,
      assignee: rule ? findRuleAssignee(rule, nameOwner) : null,
    });
  }
  return { ok: true, events };
}

async function listTried(
  { events }: Workspace,
  projectIds: ScopedProjectIds,
  eventId: string | null,
): Promise<EventRow[]> {
  if (eventId === null)
    return (await events.listEvents({ projectIds, from: null, to: null }, { cursor: null, limit: TRIED_EVENTS }))
      .events;
  const row = await events.getEvent(eventId, projectIds);
  return row === null ? [] : [row];
}
