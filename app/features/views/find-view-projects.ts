import { parseSearch } from "../../domain/search/parse-search.ts";
import { type SearchNode, toPlainText } from "../../domain/search/search-tree.ts";
import { readChoices } from "../filters/filter-params.ts";

const PROJECT_KEYS = new Set(["project", "project.name"]);

/** Slugs of the projects that the query of a list names: beside the search, and in it. */
export function findViewProjects(params: URLSearchParams): string[] {
  const { tree } = parseSearch(params.get("q") ?? "");
  return [...new Set([...readChoices(params, "project"), ...(tree === null ? [] : listNamed(tree))])];
}

function listNamed(node: SearchNode): string[] {
  switch (node.kind) {
    case "all":
    case "any":
      return node.parts.flatMap(listNamed);
    case "not":
      return listNamed(node.part);
    case "filter":
      return !node.isTag && PROJECT_KEYS.has(node.key.toLowerCase())
        ? node.values.flatMap((value) => toPlainText(value) ?? [])
        : [];
    case "text":
      return [];
  }
}
