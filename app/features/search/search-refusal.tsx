import { Fragment } from "react";
import { toCharacterNumber } from "../../domain/search/character-number.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";

/** Shows what of a search is not understood: the search with the places marked, and a sentence for each. */
export function SearchRefusal({ id, search, errors }: { id: string; search: string; errors: readonly SearchError[] }) {
  return (
    <div id={id} role="alert" className="search-box-refusal">
      <p>
        <code>
          {toPieces(search, errors).map(({ before, marked, from }) => (
            <Fragment key={from}>
              {before}
              {marked !== null && <mark>{marked || "‸"}</mark>}
            </Fragment>
          ))}
        </code>
      </p>
      {errors.map(({ from, message }) => (
        <p key={`${from} ${message}`}>
          {message} <span className="sr-only">At character {toCharacterNumber(search, from)}.</span>
        </p>
      ))}
    </div>
  );
}

/** Text before each mark, and the marked text; null for what follows the last one. A place within another is part of it. */
function toPieces(
  search: string,
  errors: readonly SearchError[],
): Array<{ before: string; marked: string | null; from: number }> {
  const pieces: Array<{ before: string; marked: string | null; from: number }> = [];
  let at = 0;
  for (const error of errors.toSorted((one, other) => one.from - other.from)) {
    const from = Math.min(error.from, search.length);
    const to = Math.min(Math.max(error.to, from), search.length);
    if (from < at || pieces.at(-1)?.from === from) continue;
    pieces.push({ before: search.slice(at, from), marked: search.slice(from, to), from });
    at = to;
  }
  return [...pieces, { before: search.slice(at), marked: null, from: search.length + 1 }];
}
