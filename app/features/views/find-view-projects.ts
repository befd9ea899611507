import { listProjectValues } from "../../domain/rename-in-view.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { toPlainText } from "../../domain/search/search-tree.ts";
import { readChoices } from "../filters/filter-params.ts";

/** Slugs of the projects that the query of a list names, in its search and beside it. */
export function findViewProjects(params: URLSearchParams): string[] {
  const { tree } = parseSearch(params.get("q") ?? "");
  const named = tree === null ? [] : listProjectValues(tree).flatMap((value) => toPlainText(value) ?? []);
  return [...new Set([...readChoices(params, "project"), ...named])];
}
