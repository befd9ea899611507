import type { HealthState, ReleaseHealth } from "../../domain/releases/release-health.ts";
import type { BadgeTone } from "../../ui/badge.tsx";

/** A share as text: `99.53 %`. It has more digits near 100, so that 99.996 is not shown as 100. Null: `—`. */
export function formatShare(share: number | null): string {
  if (share === null) return "—";
  const percent = share * 100;
  if (percent === 100 || percent === 0) return `${percent} %`;
  const digits = percent > 99.9 ? 3 : percent > 90 ? 2 : 1;
  // Cut off, not rounded: with a single crash, the share is not 100 %.
  const cut = Math.floor(percent * 10 ** digits + 1e-6) / 10 ** digits;
  return `${cut.toFixed(digits).replace(/0+$/, "").replace(/\.$/, "")} %`;
}

export const HEALTH_STATES: Record<HealthState, { label: string; tone: BadgeTone }> = {
  unknown: { label: "No sessions", tone: "neutral" },
  few: { label: "Too few to judge", tone: "neutral" },
  good: { label: "At the target", tone: "resolved" },
  "below-target": { label: "Below the target", tone: "warning" },
  "below-floor": { label: "Below the floor", tone: "error" },
};

/** The used share of the budget as text. With so few sessions that none may crash, a share means nothing. */
export function formatSpent({ allowedCrashes, spent }: ReleaseHealth): string {
  return spent === null || allowedCrashes < 1 ? "—" : `${Math.round(spent * 100)} %`;
}

/** Says how many of the crashes that the goal allows are left. */
export function sayBudget({ allowedCrashes, spent }: ReleaseHealth, crashed: number): string {
  if (spent === null) return crashed === 0 ? "No crash." : `${count(crashed)}; the target allows none.`;
  if (allowedCrashes < 1)
    return `${crashed === 0 ? "No crash" : count(crashed)}; of so few sessions, the target allows none.`;
  const allowed = Math.floor(allowedCrashes);
  const share = spent > 9.99 ? `${Math.round(spent)} times` : `${Math.round(spent * 100)} % of`;
  return `${count(crashed)} of ${allowed.toLocaleString("en")} that the target allows: ${share} the budget.`;
}

function count(crashes: number): string {
  return crashes === 1 ? "1 crash" : `${crashes.toLocaleString("en")} crashes`;
}
