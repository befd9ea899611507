import { isRecord } from "../domain/is-record.ts";

/** Why the answer of a provider cannot be used: `openid-client` says which value is wrong in the causes of its error. */
export function explainAnswer(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown fault";
  const { cause, message } = error;
  if (cause instanceof Response) return `${message} (${cause.status})`;
  if (cause instanceof Error) return explainAnswer(cause);
  return (isRecord(cause) ? nameValue(cause) : null) ?? message;
}

function nameValue({ claim, attribute, claims, body, expected, now }: Record<string, unknown>): string | null {
  const name = claim ?? attribute;
  const values = claims ?? body;
  if (typeof name !== "string" || !isRecord(values)) return null;
  const value = values[name];
  if (typeof now === "number" && typeof value === "number")
    return `its ${name} is ${toTime(value)}, and the clock of this server says ${toTime(now)}`;
  return expected === undefined ? null : `its ${name} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`;
}

/** @param seconds since 1970 */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
