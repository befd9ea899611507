import { allOf, type Condition } from "../../domain/search/condition.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";

/** Turns tests that the store has a parameter of its own for into that parameter. The rest becomes a condition. */
export function toIssueQuery(
  condition: Condition,
): Pick<IssueQuery, "text" | "statuses" | "release" | "firstRelease" | "issueIds" | "where"> {
  const left: Condition[] = [];
  const query: Pick<IssueQuery, "text" | "statuses" | "release" | "firstRelease" | "issueIds"> = {};
  for (const part of condition.kind === "all" ? condition.parts : [condition]) {
    const one = part.kind === "test" && !part.isNegated && !part.isTag ? part : null;
    const [value] = one?.test.kind === "in" ? one.test.values : [];
    const isOne = one?.test.kind === "in" && one.test.values.length === 1 && value !== undefined;
    const text = one?.field === "text" && one.test.kind === "like" ? toPart(one.test.parts) : null;
    if (text !== null) query.text = [...(query.text ?? []), text];
    else if (one?.field === "id" && one.test.kind === "in" && !query.issueIds)
      query.issueIds = one.test.values.map(Number);
    else if (one?.field === "status" && one.test.kind === "in" && !query.statuses)
      query.statuses = one.test.values as IssueQuery["statuses"] & string[];
    else if (isOne && one?.field === "release" && query.release === undefined) query.release = value;
    else if (isOne && one?.field === "firstRelease" && query.firstRelease === undefined) query.firstRelease = value;
    else left.push(part);
  }
  return left.length === 0 ? query : { ...query, where: allOf(left) };
}

/** The text of a pattern that means “contains this text”. Null for any other pattern. */
function toPart(parts: ReadonlyArray<string | typeof ANY_TEXT>): string | null {
  const [first, text, last] = parts;
  return parts.length === 3 && first === ANY_TEXT && last === ANY_TEXT && typeof text === "string" ? text : null;
}
