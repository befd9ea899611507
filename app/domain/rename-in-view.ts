import { PROJECT_KEYS } from "./saved-view.ts";
import { parseSearch } from "./search/parse-search.ts";
import { printValue, toSearchValue } from "./search/print-search.ts";
import { type SearchNode, type SearchValue, toPlainText } from "./search/search-tree.ts";

/** The query of a saved view after a project got another slug: beside the search, and in it. */
export function renameInView(query: string, { from, to }: { from: string; to: string }): string {
  const params = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "project" && value === from) params.append(name, to);
    else params.append(name, name === "q" ? renameInSearch(value, from, to) : value);
  }
  const renamed = params.toString();
  return renamed === new URLSearchParams(query).toString() ? query : renamed;
}

function renameInSearch(search: string, from: string, to: string): string {
  const { tree } = parseSearch(search);
  const named = tree === null ? [] : listProjectValues(tree).filter((value) => toPlainText(value) === from);
  return named
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, value) => text.slice(0, value.from) + printValue(toSearchValue(to)) + text.slice(value.to), search);
}

/** The values of the filters that name projects. */
export function listProjectValues(node: SearchNode): SearchValue[] {
  switch (node.kind) {
    case "all":
    case "any":
      return node.parts.flatMap(listProjectValues);
    case "not":
      return listProjectValues(node.part);
    case "filter":
      return !node.isTag && PROJECT_KEYS.has(node.key.toLowerCase()) ? node.values : [];
    case "text":
      return [];
  }
}
