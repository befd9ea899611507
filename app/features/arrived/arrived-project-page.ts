import { compareNames } from "../../domain/compare-names.ts";
import type { ArrivedProject } from "./get-arrived.server.ts";

export const ARRIVED_PROJECTS_PER_PAGE = 25;

/** Names from A, figures from the largest. `items`: all that came, stored or not. */
export const PROJECT_SORTS = ["items", "name", "stored", "not-stored", "share"] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

export interface ArrivedProjectPage {
  projects: ArrivedProject[];
  sort: ProjectSort;
  /** From 1: the last one where the address asks for a later one. */
  page: number;
  pageCount: number;
  /** On all pages. */
  count: number;
  /** Place of the first one, from 1. */
  from: number;
}

/** @param wanted what the address says */
export function toArrivedProjectPage(
  all: readonly ArrivedProject[],
  nameOf: (projectId: number) => string,
  wanted: { page: string | null; sort: string | null },
): ArrivedProjectPage {
  const pageCount = Math.max(1, Math.ceil(all.length / ARRIVED_PROJECTS_PER_PAGE));
  const asked = Number(wanted.page);
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pageCount) : 1;
  const start = (page - 1) * ARRIVED_PROJECTS_PER_PAGE;
  const sort = PROJECT_SORTS.find((each) => each === wanted.sort) ?? "items";
  return {
    projects: sortProjects(all, nameOf, sort).slice(start, start + ARRIVED_PROJECTS_PER_PAGE),
    sort,
    page,
    pageCount,
    count: all.length,
    from: start + 1,
  };
}

/** Equal ones by name. */
function sortProjects(
  projects: readonly ArrivedProject[],
  nameOf: (projectId: number) => string,
  sort: ProjectSort,
): ArrivedProject[] {
  const byName = (one: ArrivedProject, other: ArrivedProject) =>
    compareNames(nameOf(one.projectId), nameOf(other.projectId));
  if (sort === "name") return projects.toSorted(byName);
  const figureOf = FIGURES[sort];
  return projects.toSorted((one, other) => figureOf(other) - figureOf(one) || byName(one, other));
}

const FIGURES: Readonly<Record<Exclude<ProjectSort, "name">, (project: ArrivedProject) => number>> = {
  items: ({ stored, notStored }) => stored + notStored,
  stored: ({ stored }) => stored,
  "not-stored": ({ notStored }) => notStored,
  share: ({ stored, notStored }) => notStored / Math.max(1, stored + notStored),
};
