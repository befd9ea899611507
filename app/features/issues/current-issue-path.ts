import type { Issue } from "../../domain/issue.ts";

/**
 * Where a page of an issue is now: an issue that went into another one, because their readable stacks are the same, is found
 * by its own number and short id. Null: the address is that of the issue itself.
 */
export function toCurrentIssuePath(issue: Pick<Issue, "id" | "shortId">, asked: string, url: URL): string | null {
  if (asked === String(issue.id) || asked.toUpperCase() === issue.shortId.toUpperCase()) return null;
  const [, section = "", , ...rest] = url.pathname.split("/");
  return `/${[section, issue.id, ...rest].join("/")}${url.search}`;
}
