/** Only this many characters are read: W3C requires no more. */
export const MAX_TRACE_STATE = 512;

/** Bits of a threshold, and of the random number that is held against it. */
const THRESHOLD_DIGITS = 14;
const THRESHOLDS = 2 ** 56;

/**
 * The share of traces that a probability sampler of OpenTelemetry kept, from 0 to 1. It is in the member `ot` of the trace state: as the
 * threshold below which traces were dropped (`th:c` kept a quarter), or as the power of two that older samplers write (`p:2`). Null: not
 * given.
 */
export function readKeptShare(traceState: string): number | null {
  const member = traceState
    .split(",")
    .map((each) => each.trim())
    .find((each) => each.startsWith("ot="));
  if (member === undefined) return null;
  const values = new Map(
    member
      .slice(3)
      .split(";")
      .map((pair): [string, string] => {
        const [key = "", value = ""] = pair.split(":");
        return [key, value];
      }),
  );
  const threshold = values.get("th") ?? "";
  if (/^[0-9a-f]{1,14}$/.test(threshold))
    return 1 - Number.parseInt(threshold.padEnd(THRESHOLD_DIGITS, "0"), 16) / THRESHOLDS;
  const power = values.get("p") ?? "";
  return /^\d{1,2}$/.test(power) && Number(power) <= 62 ? 2 ** -Number(power) : null;
}
