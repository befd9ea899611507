import type { Workspace } from "../../access/workspace.ts";
import { findQuietEnd, type QuietHours, toTimeOfDay } from "../../domain/people/quiet-hours.ts";
import type { User } from "../../domain/user.ts";

export interface QuietHoursView {
  /** Null: the person has no quiet hours. */
  hours: (Omit<QuietHours, "from" | "to"> & { from: string; to: string }) | null;
  /** The end of the quiet time in the person's zone, like `Fri 07:00`. Null: it is not quiet now. */
  quietUntil: string | null;
  /** The messages that wait until then. */
  held: Array<{ project: string; changeCount: number }>;
  /** False: this server has no mail. */
  sendsMail: boolean;
}

/** The viewer's quiet hours, and the messages that wait for their end. */
export async function getQuietHours(
  { state, scope, notifications }: Workspace,
  { viewer, now }: { viewer: User; now: number },
): Promise<QuietHoursView> {
  const hours = await state.quietHours.getQuietHours(viewer.id);
  const end = hours && findQuietEnd(hours, now);
  const held = end === null ? [] : await state.quietHours.listHeld(scope, viewer.id, now);
  const projects = held.length === 0 ? [] : await state.projects.listProjects(scope);
  return {
    hours: hours && { ...hours, from: toTimeOfDay(hours.from), to: toTimeOfDay(hours.to) },
    quietUntil: hours && end !== null ? sayInstant(end, hours.timezone) : null,
    held: held.flatMap(({ projectId, changeCount }) => {
      const project = projects.find(({ id }) => id === projectId);
      return project ? [{ project: project.name, changeCount }] : [];
    }),
    sendsMail: notifications.mailFrom !== null,
  };
}

function sayInstant(at: number, timeZone: string): string {
  const format = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en", format).format(at);
}
