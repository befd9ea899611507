import type { IssueNews, Message } from "../message.ts";

/** Renders the first issues that fit into `max` together. All others are added to the counts of issues that the message does not name. */
export function fitIssues<Part>(
  { issues, more }: Pick<Message, "issues" | "more">,
  { render, measure, max }: { render: (issue: IssueNews) => Part; measure: (part: Part) => number; max: number },
): { parts: Part[]; more: Message["more"] } {
  const parts: Part[] = [];
  const counts = { ...more };
  let size = 0;
  for (const issue of issues) {
    const part = render(issue);
    size += measure(part);
    if (size <= max) parts.push(part);
    else counts[issue.transition] = (counts[issue.transition] ?? 0) + 1;
  }
  return { parts, more: counts };
}
