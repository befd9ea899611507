import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";

const VOCABULARIES = { issues: ISSUE_VOCABULARY, logs: LOG_VOCABULARY, spans: SPAN_VOCABULARY };

/** Text in quotes stays as it is. Otherwise, at the beginning of a word: a key with its colon, and text in other kinds of quotes. */
const SIGNS = /"(?:\\.|[^"\\])*"?|(?<![^\s(!])(?:([\w.-]+)[:：])?(?:[“„＂]([^"“”„＂\\]*)[“”＂])?/gu;

/**
 * Replaces colons and quotes that phones and East Asian keyboards type with those of the search language: `level：error` has a full-width
 * colon. A colon after a word that is no key stays text, as in a pasted message.
 */
export function toPlainSigns(search: string, list: keyof typeof VOCABULARIES): string {
  return search.replace(SIGNS, (found: string, key: string | undefined, phrase: string | undefined) => {
    if (found.startsWith('"') || (key !== undefined && !findField(VOCABULARIES[list], key))) return found;
    return `${key === undefined ? "" : `${key}:`}${phrase === undefined ? "" : `"${phrase}"`}`;
  });
}
