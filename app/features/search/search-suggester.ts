import { EVENT_VOCABULARY } from "../../domain/search/event-vocabulary.ts";
import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { listRememberedSearches } from "./remembered-searches.ts";
import { createSearchValueSources } from "./search-value-source.ts";
import { COUNTED_DAYS, COUNTED_EVENTS } from "./search-values.ts";
import { type SearchSuggestions, suggestSearchWords } from "./suggest-search-words.ts";

/** What a search is about. */
export type SearchSubject =
  | {
      about: "issues" | "logs" | "spans";
      projects: ReadonlyArray<{ slug: string; name: string }>;
      environments: readonly string[];
    }
  | { about: "events"; issueId: number };

const VOCABULARIES = {
  issues: ISSUE_VOCABULARY,
  events: EVENT_VOCABULARY,
  logs: LOG_VOCABULARY,
  spans: SPAN_VOCABULARY,
};

/** Says what the numbers beside suggestions count: not the time and the search of the page. */
export const COUNTED_OVER: Readonly<Record<SearchSubject["about"], string>> = {
  issues: "Counts are of all stored issues and events.",
  events: `Shares are of the newest ${COUNTED_EVENTS.toLocaleString("en")} events.`,
  logs: `Counts are of the last ${COUNTED_DAYS} days.`,
  spans: `Counts are of the last ${COUNTED_DAYS} days.`,
};

/** Suggests what can be typed into a search. The field and its list know nothing else of the search language. */
export interface SearchSuggester {
  /** Suggestions from the values that are known now. `onMore` is called once there are more: then call it again. */
  suggest(search: string, caret: number, onMore: () => void): SearchSuggestions;
  /** Cancels its running request. */
  stop(): void;
}

/** @param slugs the projects that are chosen beside a search for issues */
export function createSearchSuggester(subject: SearchSubject, slugs: readonly string[]): SearchSuggester {
  const isEvents = subject.about === "events";
  const values = createSearchValueSources(
    isEvents ? { issueId: subject.issueId } : { slugs, ...(subject.about !== "issues" && { about: subject.about }) },
  );
  return {
    suggest(search, caret, onMore) {
      const { question, ...suggestions } = suggestSearchWords(search, caret, {
        vocabulary: VOCABULARIES[subject.about],
        projects: isEvents ? [] : subject.projects,
        environments: isEvents ? [] : subject.environments,
        find: values.find,
        // Recent searches for issues are of no use in other searches.
        recent: subject.about === "issues" ? listRememberedSearches() : [],
      });
      values.ask(question, onMore);
      return suggestions;
    },
    stop: () => values.ask(null, () => {}),
  };
}
