import { findSnoozeProblem, SNOOZE_CHOICES } from "../../domain/issues/snooze.ts";

/**
 * Reads the end of a snooze from a form: `for` (a name of SNOOZE_CHOICES), otherwise `snoozeUntil` (an instant) or
 * `snoozeUntilLocal` (without script, in UTC).
 */
export function readSnoozeForm(
  form: FormData,
  now: number,
): { ok: true; until: number } | { ok: false; message: string } {
  const get = (name: string) => String(form.get(name) ?? "").trim();
  const choice = get("for");
  if (choice !== "") {
    const found = SNOOZE_CHOICES.find(({ name }) => name === choice);
    return found
      ? { ok: true, until: now + found.ms }
      : { ok: false, message: `for: Must be one of ${SNOOZE_CHOICES.map(({ name }) => name).join(", ")}.` };
  }
  const local = get("snoozeUntilLocal");
  const until = Date.parse(get("snoozeUntil") || (local && `${local}Z`));
  const problem = findSnoozeProblem(until, now);
  return problem === null ? { ok: true, until } : { ok: false, message: `snoozeUntil: ${problem}` };
}
