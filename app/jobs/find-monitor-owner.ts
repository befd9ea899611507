import { scopeOfServer } from "../access/server-scope.ts";
import { type Assignee, parseAssigneeText } from "../domain/issues/triage.ts";
import { CRON_LOGGER } from "../domain/monitors/monitor-findings.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";
import { readStored } from "./read-stored.ts";

export interface MonitorOwnerParts {
  state: Pick<State, "issues" | "monitors" | "triage">;
  events: Pick<EventStore, "getEvent">;
  payloads: Pick<EventPayloads, "readEvent">;
}

/**
 * The owner that a monitor names (`MonitorConfig.owner`), for an issue about the monitor. Null: the issue is about no monitor, or the
 * monitor has no owner who sees the project.
 */
export async function findMonitorOwner(
  { state, events, payloads }: MonitorOwnerParts,
  { issueId, projectId, eventId }: { issueId: number; projectId: number; eventId: string },
): Promise<{ rule: string; assignee: Assignee } | null> {
  const scope = scopeOfServer([projectId]);
  if ((await state.issues.getIssue(scope, issueId))?.logger !== CRON_LOGGER) return null;
  const stored = await readStored({ events, payloads }, scope, eventId);
  const slug = stored?.event.contexts?.monitor?.slug;
  const monitor = typeof slug === "string" ? await state.monitors.getMonitor(scope, { projectId, slug }) : null;
  const ref = parseAssigneeText(monitor?.config?.owner ?? "");
  if (ref === null || !(await state.triage.seesProject(scope, ref, projectId))) return null;
  const assignee = await state.triage.getAssignee(scope, ref);
  return monitor && assignee ? { rule: `owner of the monitor ${monitor.slug}`, assignee } : null;
}
