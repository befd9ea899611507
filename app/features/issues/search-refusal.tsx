import type { SearchError } from "../../domain/search/search-tree.ts";

/** What of a search is not understood: the search with the place marked, and a sentence for each. */
export function SearchRefusal({ id, search, errors }: { id: string; search: string; errors: readonly SearchError[] }) {
  const [first] = errors;
  const from = Math.min(first?.from ?? 0, search.length);
  const to = Math.min(Math.max(first?.to ?? 0, from), search.length);
  return (
    <div id={id} role="alert" className="issue-search-refusal">
      <p>
        <code>
          {search.slice(0, from)}
          <mark>{search.slice(from, to) || "\u2038"}</mark>
          {search.slice(to)}
        </code>
      </p>
      {errors.map(({ from: at, message }) => (
        <p key={`${at} ${message}`}>
          {message} <span className="sr-only">At character {at + 1}.</span>
        </p>
      ))}
    </div>
  );
}
