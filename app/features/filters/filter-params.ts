/** The most projects or environments in an address. Further ones are ignored. */
const MAX_CHOICES = 100;

/** The values of a field that an address may have several times. Each value appears once, in order. */
export function readChoices(params: URLSearchParams, name: string, most = MAX_CHOICES): string[] {
  return [...new Set(params.getAll(name).filter(Boolean))].slice(0, most);
}

/** The projects and environments to which a list is narrowed. Empty means all. */
export interface PlaceFilters {
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

/** A path with parameters, like `/logs?q=a`. Without parameters there is no question mark. */
export function withParams(path: string, params: URLSearchParams): string {
  return params.size > 0 ? `${path}?${params}` : path;
}
