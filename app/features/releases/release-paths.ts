export const RELEASE_TABS = ["issues", "health", "commits", "files", "deploys", "compare"] as const;
export type ReleaseTab = (typeof RELEASE_TABS)[number];

/** Commits on one page of a release. */
export const COMMITS_ON_PAGE = 200;

/** The address of a release's page. */
export function toReleasePath(version: string, tab: ReleaseTab = "issues"): string {
  const path = `/releases/${encodeURIComponent(version)}`;
  // A path with such an ending asks for data, or for the page as Markdown.
  return tab === "issues" && !/\.(data|md)$/.test(version) ? path : `${path}/${tab}`;
}

/** The version in a path. The router turns `%2F` into a slash, and no version has a slash. */
export function readReleaseParam(param: string): string {
  return param.replaceAll("/", "%2F");
}

/** The address of a search for issues with this key, in the longest range of lists. */
export function toReleaseIssuesPath(key: "release" | "first-release", version: string, projectSlugs: string[]): string {
  const params = new URLSearchParams(projectSlugs.map((slug) => ["project", slug]));
  params.set("range", "90d");
  params.set("q", `${key}:${/[\s":]/.test(version) ? `"${version.replaceAll('"', "")}"` : version}`);
  return `/issues?${params}`;
}
