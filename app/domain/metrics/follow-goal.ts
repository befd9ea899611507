import type { HealthGoal } from "../releases/release-health.ts";
import type { MetricSettings } from "./metric-monitor.ts";

/**
 * The settings of a monitor that follows the project's goal, with the lines of that goal: more crashes than the target allows are a
 * warning, more than the floor allows are critical. Other monitors stay as they are.
 */
export function followGoal(settings: MetricSettings, { target, floor }: HealthGoal): MetricSettings {
  if (settings.comparison !== "goal") return settings;
  const critical = toCrashes(floor);
  const warning = toCrashes(target);
  return { ...settings, direction: "above", critical, warning: warning < critical ? warning : null, recovery: null };
}

/** Percent that crash of a share that does not. Binary fractions: 1 - 0.995 is a little more than 0.005. */
function toCrashes(share: number): number {
  return Math.round((1 - share) * 1e8) / 1e6;
}
