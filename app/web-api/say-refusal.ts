import type { SearchError } from "../domain/search/search-tree.ts";

/** What is wrong with the parameter `query`, in the words of the page. */
export function sayRefusal({ from, message }: SearchError): string {
  return `query: ${message} (at character ${from + 1})`;
}
