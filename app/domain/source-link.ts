import { type CodeMapping, type FramePaths, toRepositoryPath } from "./code-mapping.ts";

export const CODE_HOSTS = ["github", "gitlab", "gitea", "bitbucket", "other"] as const;
export type CodeHost = (typeof CODE_HOSTS)[number];

/** The settings that turn a project's frames, commits and releases into links to its repository. */
export interface SourceLinks {
  host: CodeHost;
  /** Page of the repository, without a trailing slash; of `other` null where the template alone is known. */
  repositoryUrl: string | null;
  /** Only for `other`: a URL with `{path}`, and optionally `{line}`, `{column}` and `{revision}`. */
  template: string | null;
  /** Stands for the revision where an event's release does not say it. */
  defaultBranch: string;
  /** Tried in this order. If there are any, only paths that match one of them get a link. Empty: paths are used as they are. */
  codeMappings: CodeMapping[];
}

export const CODE_HOST_NAMES: Record<CodeHost, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea",
  bitbucket: "Bitbucket",
  other: "the repository",
};

/** Below the repository's page. */
const HOSTS: Record<Exclude<CodeHost, "other">, { line: string; commit: string; compare: string }> = {
  github: { line: "/blob/{revision}/{path}#L{line}", commit: "/commit/{to}", compare: "/compare/{from}...{to}" },
  gitlab: { line: "/-/blob/{revision}/{path}#L{line}", commit: "/-/commit/{to}", compare: "/-/compare/{from}...{to}" },
  // Takes a branch, a tag or a commit, and goes on to the right one of the three.
  gitea: { line: "/src/{revision}/{path}#L{line}", commit: "/commit/{to}", compare: "/compare/{from}...{to}" },
  bitbucket: {
    line: "/src/{revision}/{path}#lines-{line}",
    commit: "/commits/{to}",
    compare: "/branches/compare/{to}..{from}",
  },
};

/** The frame's own facts about its place; any of them may be odd. */
export interface SourcePlace extends FramePaths {
  lineno?: number;
  colno?: number;
}

/** Null where the frame is at no place of the repository. `revision` null: the default branch. */
export function toSourceUrl(links: SourceLinks, place: SourcePlace, revision: string | null): string | null {
  const path = toRepositoryPath(links.codeMappings, place);
  if (path === null || place.lineno === undefined) return null;
  const template =
    links.host === "other"
      ? links.template
      : links.repositoryUrl === null
        ? null
        : links.repositoryUrl + HOSTS[links.host].line;
  if (template === null) return null;
  return fill(template, {
    path: encodePath(path),
    line: String(place.lineno),
    column: String(place.colno ?? 1),
    revision: encodePath(revision ?? links.defaultBranch),
  });
}

/** Null where the host has no page for it that is known. */
export function toCommitUrl(links: SourceLinks, commitId: string): string | null {
  if (links.host === "other" || links.repositoryUrl === null) return null;
  return fill(links.repositoryUrl + HOSTS[links.host].commit, { to: encodePath(commitId) });
}

/** The address of the difference between two commits. */
export function toCompareUrl(links: SourceLinks, fromCommitId: string, toCommitId: string): string | null {
  if (links.host === "other" || links.repositoryUrl === null) return null;
  return fill(links.repositoryUrl + HOSTS[links.host].compare, {
    from: encodePath(fromCommitId),
    to: encodePath(toCommitId),
  });
}

/** Whether a commit's repository, as a tool named it (`acme/shop`, an address, or not at all), is the one of the links. */
export function isSameRepository(links: SourceLinks, repository: string): boolean {
  if (links.repositoryUrl === null) return false;
  const name = repository
    .toLowerCase()
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
  // sentry-cli calls a checkout by the name of its remote, and `local` where it has none.
  if (["", "local", "origin", "upstream"].includes(name)) return true;
  const own = links.repositoryUrl.toLowerCase().replace(/^https?:\/\//, "");
  const asked = name.replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/, "").replace(/^[^@/]*@([^:/]+):/, "$1/");
  return own === asked || own.endsWith(`/${asked}`);
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** Null if the result is not an http or https address: somebody typed the template. */
function fill(template: string, values: Record<string, string>): string | null {
  const text = template.replace(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}
