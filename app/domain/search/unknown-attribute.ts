import { isConventionalName } from "./conventions.ts";
import { findNearestKey } from "./nearest-key.ts";
import type { Vocabulary } from "./search-field.ts";

/** An attribute of a search that nothing was found to have. */
export interface UnknownAttribute {
  key: string;
  /** A sentence that names it, the nearest key, and how far the search for it came. */
  message: string;
  /** False: a part of the time was not looked at, and no key is near. It may be rare. */
  isMistyped: boolean;
  /** Tools ask for names of conventions whatever rows have: a search for one finds nothing, and is not refused. */
  isConventional: boolean;
}

/**
 * @param rows the kind of rows that were searched: `log` or `span`
 * @param since instant before which nothing was searched, in milliseconds since 1970; null: the whole time was
 * @param known keys of attributes that rows have
 */
export function nameUnknownAttribute(
  key: string,
  {
    rows,
    since,
    vocabulary,
    known,
  }: { rows: string; since: number | null; vocabulary: Vocabulary; known: readonly string[] },
): UnknownAttribute {
  const keys = vocabulary.fields.flatMap(({ key: own, aliases = [] }) => [own, ...aliases]);
  const nearest = findNearestKey(key, [...keys, ...known]);
  const when = since === null ? "of this time" : `since ${new Date(since).toISOString().slice(0, 19)}Z`;
  const sentences = [
    `No ${rows} ${when} has the attribute “${key}”${since === null ? "" : ", and the search came no further"}.`,
    ...(nearest === null ? [] : [`The nearest is “${nearest}”.`]),
  ];
  return {
    key,
    message: sentences.join(" "),
    isMistyped: since === null || nearest !== null,
    isConventional: isConventionalName(key, [...keys, ...known]),
  };
}
