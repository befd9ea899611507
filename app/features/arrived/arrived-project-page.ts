import { compareNames } from "../../domain/compare-names.ts";
import type { ArrivedProject } from "./get-arrived.server.ts";

export const ARRIVED_PROJECTS_PER_PAGE = 25;

/** What the list of projects can be sorted by. Names go from A, figures from the largest. `items`: everything that came, stored or not. */
const PROJECT_SORTS = ["items", "name", "stored", "not-stored", "share"] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

export interface ArrivedProjectPage {
  projects: ArrivedProject[];
  sort: ProjectSort;
  /** The number of the page, from 1. If the address asks for a page after the last, it is the last. */
  page: number;
  pageCount: number;
  /** The number of projects on all pages. */
  count: number;
  /** The place of the first project of the page, from 1. */
  from: number;
}

/** @param wanted the page and the order that the address asks for */
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

/** Sorts projects. Those with equal figures are sorted by name. */
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
