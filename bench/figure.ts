import type { CpuUse, Machine } from "./machine.ts";

/** One number that can be compared between runs. */
export interface Figure {
  /** Stable from run to run: `accepts.10kB.plain`. */
  name: string;
  /** For people. */
  what: string;
  value: number;
  unit: "/s" | "ms" | "µs" | "MB" | "kB" | "bytes" | "×";
  better: "higher" | "lower";
  /** What is to be reached at least (or at most, where lower is better). */
  goal?: number;
  /** More about it, in the same line. */
  note?: string;
}

/** What one measurement gave. */
export interface Part {
  name: string;
  startedAt: string;
  seconds: number;
  machine: Machine;
  /** Null where the system does not tell. */
  cpu: CpuUse | null;
  figures: Figure[];
}

export interface Report {
  format: "culprit-bench-1";
  startedAt: string;
  machine: Machine;
  isQuick: boolean;
  parts: Part[];
}

export function meetsGoal({ value, goal, better }: Figure): boolean | null {
  if (goal === undefined) return null;
  return better === "higher" ? value >= goal : value <= goal;
}

export function renderFigure(figure: Figure): string {
  const { what, value, unit, goal, better, note } = figure;
  const met = meetsGoal(figure);
  const goalText =
    goal === undefined
      ? ""
      : `${met ? "ok " : "NOT"} ${better === "higher" ? "≥" : "≤"} ${formatNumber(goal)}${unitSuffix(unit)}`;
  return `  ${what.padEnd(44)} ${formatValue(value, unit).padStart(12)}  ${goalText.padEnd(16)} ${note ?? ""}`.trimEnd();
}

export function formatValue(value: number, unit: Figure["unit"]): string {
  return `${formatNumber(value)}${unitSuffix(unit)}`;
}

/** Three digits that count, and thousands apart. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function unitSuffix(unit: Figure["unit"]): string {
  return unit === "/s" || unit === "×" ? unit : ` ${unit}`;
}
