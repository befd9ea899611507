import type { Issue } from "../../domain/issue.ts";

/** Whether the headline says everything: a message has no type, and its first line is the title. */
export function isSaidByHeadline({ type, title, value }: Pick<Issue, "type" | "title" | "value">): boolean {
  const words = value.trim();
  return words === "" || (type === null ? words.startsWith(title.replace(/\.\.\.$/, "")) : words === type);
}
