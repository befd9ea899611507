import type { Issue } from "../../domain/issue.ts";

/**
 * The present address of an issue's page. An issue that was merged into another one because of equal readable stacks is still found
 * by its old number and short id. Null: the address is already that of the issue.
 */
export function toCurrentIssuePath(issue: Pick<Issue, "id" | "shortId">, asked: string, url: URL): string | null {
  if (asked === String(issue.id) || asked.toUpperCase() === issue.shortId.toUpperCase()) return null;
  const [, section = "", , ...rest] = url.pathname.split("/");
  return `/${[section, issue.id, ...rest].join("/")}${url.search}`;
}
