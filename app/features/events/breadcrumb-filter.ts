import type { Breadcrumb } from "../../domain/event.ts";
import type { LevelName } from "../../ui/level-mark.tsx";

const CRUMB_KINDS = ["http", "navigation", "error", "user", "console", "query", "other"] as const;

/** The topic of a breadcrumb, from its type, otherwise from its category. */
export type CrumbKind = (typeof CRUMB_KINDS)[number];

export type CrumbSelection = CrumbKind | "all" | "loud";

export interface CrumbFilter {
  /** Words that must all occur in the breadcrumb. */
  text: string;
  /** `loud`: warnings and above. */
  selection: CrumbSelection;
}

export const ALL_CRUMBS: CrumbFilter = { text: "", selection: "all" };

export function filterCrumbs(crumbs: readonly Breadcrumb[], { text, selection }: CrumbFilter): Breadcrumb[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return crumbs.filter((crumb) => {
    if (selection === "loud" ? !isLoud(crumb) : selection !== "all" && kindOfCrumb(crumb) !== selection) return false;
    if (words.length === 0) return true;
    const haystack = toHaystack(crumb);
    return words.every((word) => haystack.includes(word));
  });
}

/** The topics of these breadcrumbs, in a fixed order. */
export function listCrumbKinds(crumbs: readonly Breadcrumb[]): CrumbKind[] {
  const present = new Set(crumbs.map(kindOfCrumb));
  return CRUMB_KINDS.filter((kind) => present.has(kind));
}

export function kindOfCrumb({ type, category = "" }: Breadcrumb): CrumbKind {
  if (type === "http" || /fetch|xhr|http/.test(category)) return "http";
  if (type === "navigation") return "navigation";
  if (type === "error" || category === "exception") return "error";
  if (type === "user" || type === "ui" || category.startsWith("ui")) return "user";
  if (category === "console" || type === "debug") return "console";
  if (category.startsWith("query") || category.startsWith("sql") || type === "query") return "query";
  return "other";
}

export function isLoud({ level }: Breadcrumb): boolean {
  return ["warning", "error", "fatal"].includes(toLevelName(level));
}

export function toLevelName(level: string): LevelName {
  return level === "fatal" || level === "error" || level === "warning" || level === "debug" ? level : "info";
}

/** The text of the row, with the data. */
function toHaystack({ message, category, type, level, data }: Breadcrumb): string {
  return [message, category, type, level, data && JSON.stringify(data)].filter(Boolean).join(" ").toLowerCase();
}
