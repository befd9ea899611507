export const RELEASE_TABS = ["issues", "health", "commits", "files", "deploys", "compare"] as const;
export type ReleaseTab = (typeof RELEASE_TABS)[number];

/** Of a release's page. */
export const COMMITS_ON_PAGE = 200;

/** A release's page. */
export function toReleasePath(version: string, tab: ReleaseTab = "issues"): string {
  const path = `/releases/${encodeURIComponent(version)}`;
  // A path that ends so is a request for data, or for the page as Markdown.
  return tab === "issues" && !/\.(data|md)$/.test(version) ? path : `${path}/${tab}`;
}

/** The version that a path names. The router makes a slash of `%2F`, and no version has one. */
export function readReleaseParam(param: string): string {
  return param.replaceAll("/", "%2F");
}

/** Issues whose search has this word, of all times that lists know. */
export function toReleaseIssuesPath(key: "release" | "first-release", version: string, projectSlugs: string[]): string {
  const params = new URLSearchParams(projectSlugs.map((slug) => ["project", slug]));
  params.set("range", "90d");
  params.set("q", `${key}:${/[\s":]/.test(version) ? `"${version.replaceAll('"', "")}"` : version}`);
  return `/issues?${params}`;
}
