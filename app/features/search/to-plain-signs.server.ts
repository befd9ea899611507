import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";

const VOCABULARIES = { issues: ISSUE_VOCABULARY, logs: LOG_VOCABULARY, spans: SPAN_VOCABULARY };

/** What is in quotes is text. Else, at the beginning of a word: a key with its colon, and what is in quotes of other shapes. */
const SIGNS = /"(?:\\.|[^"\\])*"?|(?<![^\s(!])(?:([\w.-]+)[:：])?(?:[“„＂]([^"“”„＂\\]*)[“”＂])?/gu;

/**
 * The search with the colons and quotes of its language, where phones and keyboards of East Asia have typed theirs: `level：error` has a full-width colon.
 * Colons behind words that are not keys of the list stay text, as in a message that one has pasted.
 */
export function toPlainSigns(search: string, list: keyof typeof VOCABULARIES): string {
  return search.replace(SIGNS, (found: string, key: string | undefined, phrase: string | undefined) => {
    if (found.startsWith('"') || (key !== undefined && !findField(VOCABULARIES[list], key))) return found;
    return `${key === undefined ? "" : `${key}:`}${phrase === undefined ? "" : `"${phrase}"`}`;
  });
}
