export const PROJECT_SORTS = [
  { value: "events", label: "Most events" },
  { value: "name", label: "By name" },
  { value: "newest", label: "Newest" },
] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number]["value"];

/** The filters in the address of the project list. */
export interface ProjectListFilters {
  /** A part of a name or slug. */
  text: string;
  sort: ProjectSort;
  /** The number of the page, from 1. */
  page: number;
}

const MAX_TEXT_LENGTH = 100;
const MAX_PAGE = 10_000;

/** Never fails: unknown values become the defaults. */
export function parseProjectListFilters(params: URLSearchParams): ProjectListFilters {
  const page = Number(params.get("page"));
  return {
    text: params.get("q")?.trim().slice(0, MAX_TEXT_LENGTH) ?? "",
    sort: PROJECT_SORTS.find(({ value }) => value === params.get("sort"))?.value ?? "events",
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** The address of the list with something changed. A change of anything but the page goes back to the first one. */
export function toProjectListPath(filters: ProjectListFilters, change: Partial<ProjectListFilters> = {}): string {
  const next = { ...filters, page: 1, ...change };
  const params = new URLSearchParams();
  if (next.text) params.set("q", next.text);
  if (next.sort !== "events") params.set("sort", next.sort);
  if (next.page > 1) params.set("page", String(next.page));
  return params.size > 0 ? `/projects?${params}` : "/projects";
}
