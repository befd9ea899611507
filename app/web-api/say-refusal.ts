import type { NamedTag } from "../domain/search/bind-search.ts";
import { toCharacterNumber } from "../domain/search/character-number.ts";
import type { SearchError } from "../domain/search/search-tree.ts";
import type { UnknownAttribute } from "../domain/search/unknown-attribute.ts";
import { refusal } from "./answers.ts";

/** What is wrong with the parameter `query`, in the words of the page. */
export function sayRefusal(search: string, { from, message }: SearchError): string {
  return `query: ${message} (at character ${toCharacterNumber(search, from)})`;
}

/** @throws a 400 answer for the first that is not just rare. `tags`: where the search names each. */
export function refuseMistyped(search: string, unknown: readonly UnknownAttribute[], tags: readonly NamedTag[]): void {
  const mistyped = unknown.find((each) => each.isMistyped && !each.isConventional);
  if (mistyped === undefined) return;
  const { from, to } = tags.find(({ key }) => key === mistyped.key) ?? { from: 0, to: 0 };
  throw refusal(400, sayRefusal(search, { from, to, message: mistyped.message }));
}
