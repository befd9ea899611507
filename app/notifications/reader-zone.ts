import type { State } from "../stores/state/state.ts";

/** The time zone in which a person reads times: the one they chose, or that of their quiet hours. */
export async function findReaderZone(state: Pick<State, "push" | "quietHours">, userId: number): Promise<string> {
  const { timezone } = await state.push.getReach(userId);
  return timezone ?? (await state.quietHours.getQuietHours(userId))?.timezone ?? "UTC";
}

/** An instant in words. Long: `Monday, November 23, 08:00 (Europe/Berlin)`. Short: `Mon, Nov 23, 08:00 (Europe/Berlin)`. */
export function sayInstant(at: number, timezone: string, length: "long" | "short" = "long"): string {
  const options = { weekday: length, month: length, day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  const text = new Intl.DateTimeFormat("en", { ...options, hourCycle: "h23", timeZone: timezone }).format(at);
  return `${text} (${timezone})`;
}
