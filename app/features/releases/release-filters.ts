import type { Release } from "../../domain/release.ts";
import { withParams } from "../filters/filter-params.ts";

/** The filters in the URL of the release list. */
export interface ReleaseFilters {
  projectSlugs: string[];
  /** Null: both open and archived releases. */
  status: Release["status"] | null;
  text: string;
  sort: "date" | "semver";
  cursor: string | null;
}

/** Characters. It is longer than any version. */
const MAX_TEXT_LENGTH = 250;
const MAX_PROJECTS = 20;

/** Never fails: a value that it does not know becomes the default. */
export function parseReleaseFilters(params: URLSearchParams): ReleaseFilters {
  const status = params.get("status");
  return {
    // The form's list has a choice for several projects, whose slugs are separated by commas.
    projectSlugs: [...new Set(params.getAll("project").flatMap((slugs) => slugs.split(",")))]
      .filter(Boolean)
      .slice(0, MAX_PROJECTS),
    status: status === "all" ? null : status === "archived" ? "archived" : "open",
    text: params.get("q")?.trim().slice(0, MAX_TEXT_LENGTH) ?? "",
    sort: params.get("sort") === "semver" ? "semver" : "date",
    cursor: params.get("cursor") || null,
  };
}

/** The address of the list with something changed. A change of anything but the cursor goes back to the first page. */
export function toReleaseListPath(filters: ReleaseFilters, change: Partial<ReleaseFilters> = {}): string {
  const next = { ...filters, cursor: null, ...change };
  const params = new URLSearchParams(next.projectSlugs.map((slug) => ["project", slug]));
  if (next.text) params.set("q", next.text);
  if (next.status !== "open") params.set("status", next.status ?? "all");
  if (next.sort !== "date") params.set("sort", next.sort);
  if (next.cursor) params.set("cursor", next.cursor);
  return withParams("/releases", params);
}
