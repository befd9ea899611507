import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { isTimezone } from "../../domain/monitors/schedule.ts";
import { endsNever, parseTimeOfDay, WEEKDAYS } from "../../domain/people/quiet-hours.ts";
import type { User } from "../../domain/user.ts";
import { text } from "../input/fields.ts";
import { readForm } from "../input/read-form.ts";

const timeOfDay = (missing: string) =>
  text(5, missing).transform((typed, context) => {
    const minutes = parseTimeOfDay(typed);
    if (minutes !== null) return minutes;
    context.addIssue({ code: "custom", message: "must be a time of day like 22:00" });
    return z.NEVER;
  });

const FORM = z.object({
  from: timeOfDay("Say when they begin."),
  to: timeOfDay("Say when they end."),
  days: z.array(z.enum(WEEKDAYS.map(String))).default([]),
  timezone: text(64, "Name your time zone, like Europe/Berlin."),
  high: z.literal("on").optional(),
});

export type SaveQuietHoursResult =
  | { ok: true; done: string }
  | { ok: false; status: 400; field: string; message: string };

/** Saves the viewer's quiet hours from the form. They at once decide when waiting messages are due. */
export async function saveQuietHours(
  { state }: Workspace,
  { viewer, form }: { viewer: User; form: FormData },
): Promise<SaveQuietHoursResult> {
  const read = readForm(FORM, form);
  if (!read.ok) return refused(read.field, read.message);
  const { from, to, timezone, high } = read.fields;
  if (!isTimezone(timezone))
    return refused("timezone", `There is no time zone “${timezone}”. Use a name like Europe/Berlin.`);
  const days = WEEKDAYS.filter((day) => read.fields.days.includes(String(day)));
  if (days.length === 0) return refused("days", "Choose at least one day.");
  if (endsNever({ from, to, days }))
    return refused("to", "These hours would never end. Choose another time, or leave out a day.");
  await state.quietHours.saveQuietHours(viewer.id, { from, to, days, timezone, letsHighThrough: high === "on" });
  return { ok: true, done: "Your quiet hours are saved." };
}

/** Turns off the quiet hours. Waiting messages are due at once. */
export async function turnOffQuietHours(
  { state }: Workspace,
  { viewer }: { viewer: User },
): Promise<SaveQuietHoursResult> {
  await state.quietHours.saveQuietHours(viewer.id, null);
  return { ok: true, done: "Quiet hours are off. Messages that waited are on their way." };
}

function refused(field: string, message: string): SaveQuietHoursResult {
  return { ok: false, status: 400, field, message };
}
