import { ALWAYS, allOf, anyOf, type Condition, type FieldTest, isAlways } from "./condition.ts";

/** A condition on an issue, and one that one of its events must meet. */
export interface Alternative {
  issue: Condition;
  event: Condition;
}

/**
 * Splits a condition into alternatives. An issue is found if one of them holds. Each alternative asks one store for issues and one for
 * events, so their number is bounded. Null: there would be more.
 * "Some event fits" can be split at `OR`, but not at `AND`. So tests of events stay together as long as possible.
 */
export function splitCondition(
  condition: Condition,
  isOfIssue: (test: FieldTest) => boolean,
  limit: number,
): Alternative[] | null {
  const split = (part: Condition): Alternative[] | null => {
    const rows = listRows(part, isOfIssue);
    if (!rows.hasEvents) return [{ issue: part, event: ALWAYS }];
    if (!rows.hasIssues || part.kind === "test") return [{ issue: ALWAYS, event: part }];
    const inner: Alternative[][] = [];
    for (const each of part.parts) {
      const alternatives = split(each);
      if (alternatives === null) return null;
      inner.push(alternatives);
    }
    const joined = part.kind === "any" ? joinAny(inner.flat()) : joinAll(inner, limit);
    return joined === null || joined.length > limit ? null : joined;
  };
  return split(condition);
}

/** Joins the alternatives without a condition on events into one, and those without a condition on the issue into another. */
function joinAny(alternatives: readonly Alternative[]): Alternative[] {
  const ofIssues = alternatives.filter(({ event }) => isAlways(event));
  const ofEvents = alternatives.filter(({ issue, event }) => isAlways(issue) && !isAlways(event));
  const mixed = alternatives.filter(({ issue, event }) => !isAlways(issue) && !isAlways(event));
  return [
    ...(ofIssues.length > 0 ? [{ issue: anyOf(ofIssues.map(({ issue }) => issue)), event: ALWAYS }] : []),
    ...(ofEvents.length > 0 ? [{ issue: ALWAYS, event: anyOf(ofEvents.map(({ event }) => event)) }] : []),
    ...mixed,
  ];
}

/** Every choice of one alternative of each. */
function joinAll(lists: ReadonlyArray<readonly Alternative[]>, limit: number): Alternative[] | null {
  let joined: Alternative[] = [{ issue: ALWAYS, event: ALWAYS }];
  for (const list of lists) {
    if (joined.length * list.length > limit) return null;
    joined = joined.flatMap((one) =>
      list.map((other) => ({
        issue: allOf([one.issue, other.issue]),
        event: allOf([one.event, other.event]),
      })),
    );
  }
  return joined;
}

function listRows(
  condition: Condition,
  isOfIssue: (test: FieldTest) => boolean,
): { hasIssues: boolean; hasEvents: boolean } {
  if (condition.kind === "test") {
    const isIssue = isOfIssue(condition);
    return { hasIssues: isIssue, hasEvents: !isIssue };
  }
  const inner = condition.parts.map((part) => listRows(part, isOfIssue));
  return {
    hasIssues: inner.some(({ hasIssues }) => hasIssues),
    hasEvents: inner.some(({ hasEvents }) => hasEvents),
  };
}
