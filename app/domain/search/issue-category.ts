import { type FilterNode, type SearchError, type SearchNode, toPlainText } from "./search-tree.ts";

export const CATEGORY = "issue.category";

/**
 * Whether a search for issues asks for feedback. All of it must do so: one list has issues or feedback.
 *
 * @returns errors where only a part of it does, or where it asks for another category
 */
export function readFeedbackCategory(tree: SearchNode | null): { isFeedback: boolean; errors: SearchError[] } {
  const errors: SearchError[] = [];
  let isFeedback = false;
  const visit = (node: SearchNode, holdsForAll: boolean) => {
    if (node.kind === "all") for (const part of node.parts) visit(part, holdsForAll);
    else if (node.kind === "any") for (const part of node.parts) visit(part, false);
    else if (node.kind === "not") visit(node.part, false);
    else if (node.kind === "filter" && isCategory(node)) {
      if (!isOf(node, "error")) isFeedback = true;
      if (!holdsForAll) errors.push({ ...node.keySpan, message: NOT_FOR_ALL });
      else if (!isOf(node, "feedback") && !isOf(node, "error"))
        errors.push({ from: node.from, to: node.to, message: OTHER_CATEGORY });
    }
  };
  if (tree !== null) visit(tree, true);
  return { isFeedback, errors };
}

/** A search for issues without `issue.category:error` where all of it asks for that: every issue is one. */
export function withoutErrorCategory(tree: SearchNode): SearchNode | null {
  if (tree.kind === "filter" && isCategory(tree) && isOf(tree, "error")) return null;
  if (tree.kind !== "all") return tree;
  const parts = tree.parts.map(withoutErrorCategory).filter((part) => part !== null);
  return parts.length > 1 ? { ...tree, parts } : (parts[0] ?? null);
}

function isOf({ values }: FilterNode, category: string): boolean {
  return values.every((value) => toPlainText(value)?.toLowerCase() === category);
}

function isCategory({ key, isTag }: FilterNode): boolean {
  return !isTag && key.toLowerCase() === CATEGORY;
}

const NOT_FOR_ALL = `“${CATEGORY}:” says what is listed, so it cannot stand within “OR” or after “!”.`;
const OTHER_CATEGORY = `“${CATEGORY}:” can be feedback or error, and one of them: all issues are errors.`;
