import type { Priority } from "../../domain/issues/priority.ts";

export const PRIORITY_LABELS: Readonly<Record<Priority, string>> = { high: "High", medium: "Medium", low: "Low" };

/** A sentence about issues that were not changed. */
export function sayRefused(count: number, name: string): string {
  return count === 1
    ? `1 issue stays as it was: ${name} does not see its project.`
    : `${count.toLocaleString("en")} issues stay as they were: ${name} does not see their project.`;
}
