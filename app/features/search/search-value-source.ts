import type { KnownValue, SearchValues } from "./search-values.ts";
import type { ValueQuestion } from "./suggest-search-words.ts";

/** Keystrokes within this time cause one request. */
export const ASK_AFTER_MS = 150;
/** Answers that are kept. With more, the oldest are forgotten. */
const MAX_ANSWERS = 100;

/** Loads values while somebody types, once for each text. */
export interface SearchValueSource {
  /** The values that are known for these letters. */
  find(letters: string): KnownValue[];
  /** Loads them a little later, unless they are known. Another call replaces this one. */
  ask(letters: string, onAnswer: () => void): void;
  /** Cancels a request, if there is one. */
  stop(): void;
}

/** @param load returns null if there is no answer; then it is asked again */
export function createSearchValueSource(
  load: (letters: string, signal: AbortSignal) => Promise<SearchValues | null>,
): SearchValueSource {
  const answers = new Map<string, SearchValues>();
  let asking: { letters: string; ending: AbortController } | null = null;

  /** The answer for the longest known beginning of the letters. */
  const findNearest = (letters: string): { at: string; answer: SearchValues } | null => {
    for (let length = letters.length; length >= 0; length--) {
      const at = letters.slice(0, length);
      const answer = answers.get(at);
      if (answer) return { at, answer };
    }
    return null;
  };
  const stop = () => {
    asking?.ending.abort();
    asking = null;
  };

  return {
    find(letters) {
      const nearest = findNearest(letters);
      return nearest?.answer.values.filter(({ value }) => value.toLowerCase().includes(letters)) ?? [];
    },
    ask(letters, onAnswer) {
      const nearest = findNearest(letters);
      if (nearest && (nearest.at === letters || nearest.answer.isAll)) return stop();
      if (asking?.letters === letters) return;
      stop();
      const ending = new AbortController();
      asking = { letters, ending };
      setTimeout(async () => {
        if (ending.signal.aborted) return;
        const answer = await load(letters, ending.signal).catch(() => null);
        if (ending.signal.aborted) return;
        asking = null;
        if (answer === null) return;
        answers.set(letters, answer);
        const [oldest] = answers.keys();
        if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
        onAnswer();
      }, ASK_AFTER_MS);
    },
    stop,
  };
}

/** Where values come from: events, log lines or spans of projects (slugs; none: all), or the events of an issue. */
export type ValuePlace = { slugs: readonly string[]; about?: "logs" | "spans" } | { issueId: number };

/** The values of each key, and the keys of tags. */
export interface SearchValueSources {
  find(question: ValueQuestion): KnownValue[];
  /** Like `SearchValueSource.ask`; null: cancels. */
  ask(question: ValueQuestion | null, onAnswer: () => void): void;
}

/** Keys whose answers are kept. With more, all are forgotten. */
const MAX_KEYS = 50;

export function createSearchValueSources(place: ValuePlace): SearchValueSources {
  const sources = new Map<string | null, SearchValueSource>();
  let asked: SearchValueSource | null = null;
  const get = (key: string | null): SearchValueSource => {
    const known = sources.get(key);
    if (known) return known;
    if (sources.size >= MAX_KEYS) sources.clear();
    const source = createSearchValueSource((text, signal) => loadValues(place, { key, letters: text }, signal));
    sources.set(key, source);
    return source;
  };
  return {
    find: ({ key, letters }) => get(key).find(letters),
    ask(question, onAnswer) {
      const source = question && get(question.key);
      if (asked !== source) asked?.stop();
      asked = source;
      if (question) source?.ask(question.letters, onAnswer);
    },
  };
}

async function loadValues(
  place: ValuePlace,
  { key, letters }: ValueQuestion,
  signal: AbortSignal,
): Promise<SearchValues | null> {
  const params = new URLSearchParams({ text: letters, ...(key !== null && { key }) });
  if ("issueId" in place) params.set("issue", String(place.issueId));
  else if (place.about) params.set("about", place.about);
  if ("slugs" in place) for (const slug of place.slugs) params.append("project", slug);
  const response = await fetch(`/search-values?${params}`, { signal, headers: { accept: "application/json" } });
  return response.ok ? ((await response.json()) as SearchValues) : null;
}
