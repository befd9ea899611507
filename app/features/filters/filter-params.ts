/** Further projects or environments in an address are left out. */
const MAX_CHOICES = 100;

/** The values of a field that may be there several times: each once, in their order. */
export function readChoices(params: URLSearchParams, name: string, most = MAX_CHOICES): string[] {
  return [...new Set(params.getAll(name).filter(Boolean))].slice(0, most);
}

/** The projects and environments that a list is narrowed to; none means all. */
export interface PlaceFilters {
  /** Slugs. */
  projectSlugs: string[];
  environments: string[];
}

export function readPlaceFilters(params: URLSearchParams): PlaceFilters {
  return { projectSlugs: readChoices(params, "project"), environments: readChoices(params, "environment") };
}

export function appendPlaceFilters(params: URLSearchParams, { projectSlugs, environments }: PlaceFilters): void {
  for (const slug of projectSlugs) params.append("project", slug);
  for (const name of environments) params.append("environment", name);
}

/** `/logs?q=a`, without the question mark when there is nothing behind it. */
export function withParams(path: string, params: URLSearchParams): string {
  return params.size > 0 ? `${path}?${params}` : path;
}
