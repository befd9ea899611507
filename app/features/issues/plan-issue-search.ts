import { bindSearch, type NamedTag } from "../../domain/search/bind-search.ts";
import type { Condition } from "../../domain/search/condition.ts";
import { withoutErrorCategory } from "../../domain/search/issue-category.ts";
import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError, SearchNode } from "../../domain/search/search-tree.ts";

/** A search of the issue list, read as far as that is possible without stored data. */
export interface IssueSearchPlan {
  tree: SearchNode | null;
  condition: Condition;
  tags: NamedTag[];
  errors: SearchError[];
}

/** `now`: milliseconds since 1970, for relative times. */
export function planIssueSearch(search: string, now: number): IssueSearchPlan {
  const parsed = parseSearch(search);
  const tree = parsed.tree && withoutErrorCategory(parsed.tree);
  const bound = bindSearch(tree, ISSUE_VOCABULARY, now);
  return { ...bound, tree, errors: [...parsed.errors, ...bound.errors] };
}
