import type { NamedTag } from "../domain/search/bind-search.ts";
import { toCharacterNumber } from "../domain/search/character-number.ts";
import type { SearchError } from "../domain/search/search-tree.ts";
import type { UnknownAttribute } from "../domain/search/unknown-attribute.ts";
import { refusal } from "./answers.ts";

/** Says what is wrong with the parameter `query`, in the same words as the pages. */
export function sayRefusal(search: string, { from, message }: SearchError): string {
  return `query: ${message} (at character ${toCharacterNumber(search, from)})`;
}

/**
 * `tags`: where the search names each attribute.
 * @throws a 400 answer for the first unknown attribute that is mistyped (see `UnknownAttribute`). Names of conventions are not refused.
 */
export function refuseMistyped(search: string, unknown: readonly UnknownAttribute[], tags: readonly NamedTag[]): void {
  const mistyped = unknown.find((each) => each.isMistyped && !each.isConventional);
  if (mistyped === undefined) return;
  const { from, to } = tags.find(({ key }) => key === mistyped.key) ?? { from: 0, to: 0 };
  throw refusal(400, sayRefusal(search, { from, to, message: mistyped.message }));
}
