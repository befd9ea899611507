import type { Workspace } from "../../access/workspace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import type { Issue } from "../../domain/issue.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { type ComparedSection, compareEvents } from "./compare-events.ts";
import { findIssueEvent } from "./get-event-page.server.ts";
import { symbolicateStoredEvent } from "./symbolicate-stored-event.server.ts";
import { toRowUser, toUserWords } from "./user-words.ts";

export interface ComparedEvent {
  eventId: string;
  title: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  user: string | null;
  /** How much of the event is left. `damaged` and `dropped`: only the values of its row. */
  details: "whole" | "damaged" | "dropped";
}

export interface EventComparison {
  left: ComparedEvent;
  right: ComparedEvent;
  sections: ComparedSection[];
}

/** Two events of an issue side by side. Null: the issue does not have both. */
export async function getComparison(
  workspace: Workspace,
  { issue, left, right }: { issue: Issue; left: string; right: string },
): Promise<EventComparison | null> {
  const rows = await Promise.all([left, right].map((id) => findIssueEvent(workspace, issue, id)));
  const [one, other] = await Promise.all(rows.map((row) => row && readEvent(workspace, row)));
  if (!one || !other) return null;
  return { left: one.shown, right: other.shown, sections: compareEvents(one.event, other.event) };
}

async function readEvent(workspace: Workspace, row: EventRow): Promise<{ shown: ComparedEvent; event: SentryEvent }> {
  const kept = await workspace.payloads.readEvent(row.payload);
  const isDamaged = kept === null && (await workspace.payloads.isEventDamaged(row.payload));
  const event = kept && (await symbolicateStoredEvent(workspace, row.projectId, kept)).stored.event;
  return {
    shown: {
      eventId: row.eventId,
      title: row.title,
      occurredAt: row.occurredAt,
      user: toUserWords(event?.user) ?? toRowUser(row).words,
      details: event ? "whole" : isDamaged ? "damaged" : "dropped",
    },
    event: event ?? toRowEvent(row),
  };
}

/** The values of a row in the shape of an event. */
function toRowEvent(row: EventRow): SentryEvent {
  const { userName } = row;
  const [kind = "", ...rest] = row.userKey?.split(":") ?? [];
  const key = { id: "id", email: "email", username: "username", ip: "ip_address" }[kind];
  const user = { ...(userName && { name: userName }), ...(key && { [key]: rest.join(":") }) };
  return {
    event_id: row.eventId,
    type: "error",
    timestamp: row.occurredAt / 1000,
    received: row.receivedAt / 1000,
    platform: row.platform,
    level: row.level,
    tags: row.tags,
    ...(row.release !== null && { release: row.release }),
    ...(row.dist !== null && { dist: row.dist }),
    ...(row.environment !== null && { environment: row.environment }),
    ...(row.transaction !== null && { transaction: row.transaction }),
    ...(Object.keys(user).length > 0 && { user }),
  };
}
