import { type AlertRule, isCountTrigger } from "../domain/alerts/alert-rule.ts";
import type { SuggestedLine } from "../domain/alerts/noise.ts";
import { findBetterLine } from "../domain/alerts/rehearsal.ts";
import { type CountingRequest, countWindows, toFiringsAt } from "./count-windows.ts";

/** Whether a line can be looked for: the rule waits for one number, and for nothing else. */
export function hasOneLine({ triggers: [only, second] }: Pick<AlertRule, "triggers">): boolean {
  return only !== undefined && second === undefined && isCountTrigger(only);
}

/**
 * A higher line at which the rule would have fired at most half as often, and still for each issue of `acted`. Null: there is none, or it cannot be told
 * exactly.
 */
export async function suggestLine(
  parts: Parameters<typeof countWindows>[0],
  { rule, acted, ...range }: Omit<CountingRequest, "trigger" | "rule"> & { rule: AlertRule; acted: readonly number[] },
): Promise<SuggestedLine | null> {
  const [trigger] = rule.triggers;
  if (!hasOneLine(rule) || trigger === undefined || !isCountTrigger(trigger)) return null;
  const { windows, isWhole } = await countWindows(parts, { rule, trigger, ...range });
  if (!isWhole) return null;
  const firesAt = toFiringsAt(windows, { trigger, frequencyMinutes: rule.frequencyMinutes, until: range.to });
  const better = findBetterLine(trigger.count, firesAt, new Set(acted));
  return better && { line: better.count, times: better.times, ownTimes: firesAt(trigger.count).length };
}
