import { removeToken, type SearchToken, splitSearch } from "../../domain/search/split-search.ts";

/**
 * How the caret relates to its token: the person is typing in it (`typed`), has entered it with Enter (`opened`), or has selected it as a
 * whole (`chosen`).
 */
export type CaretMode = "typed" | "opened" | "chosen" | null;

/** Text, selection and mode of the field. */
export interface SearchCaret {
  search: string;
  from: number;
  to: number;
  mode: CaretMode;
}

export type CaretKey = "ArrowLeft" | "ArrowRight" | "Enter" | "Escape" | "Backspace" | "Delete";

/** What a key does to the tokens of a search. Null: the key has its usual meaning in a text field. */
export function moveInSearch(key: CaretKey, caret: SearchCaret): SearchCaret | null {
  const tokens = splitSearch(caret.search);
  if (caret.mode === "chosen") return moveFromChosen(key, caret, tokens);
  if (caret.from !== caret.to) return null;
  const at = caret.from;
  const isEdited = caret.mode !== null;
  const inside = tokens.find(({ from, to }) => (from < at && at < to) || (isEdited && from <= at && at <= to));
  const choose = (token: SearchToken | undefined) => (token ? chooseToken(caret.search, token) : null);
  switch (key) {
    case "ArrowLeft":
      if (inside && inside.from < at) return null;
      return choose(tokens.findLast(({ from, to }) => to <= at && from < at));
    case "ArrowRight":
      if (inside && at < inside.to) return null;
      return choose(tokens.find(({ from, to }) => from >= at && to > at));
    case "Backspace": {
      if (inside && inside.from < at) return null;
      const before = tokens.findLast(({ from, to }) => to <= at && from < at);
      // In plain words the key deletes a letter.
      return before?.kind === "text" ? null : choose(before);
    }
    case "Delete": {
      if (inside && at < inside.to) return null;
      const after = tokens.find(({ from, to }) => from >= at && to > at);
      return after?.kind === "text" ? null : choose(after);
    }
    case "Escape":
      return caret.mode === "opened" ? choose(inside) : null;
    case "Enter":
      return null;
  }
}

function moveFromChosen(key: CaretKey, { search, from, to }: SearchCaret, tokens: SearchToken[]): SearchCaret | null {
  const index = tokens.findIndex((token) => token.from === from && token.to === to);
  const token = tokens[index];
  if (!token) return null;
  switch (key) {
    case "ArrowLeft": {
      const previous = tokens[index - 1];
      return previous ? chooseToken(search, previous) : toCaret(search, token.from);
    }
    case "ArrowRight": {
      const next = tokens[index + 1];
      return next ? chooseToken(search, next) : leave(search);
    }
    case "Escape":
      return leave(search);
    case "Backspace":
    case "Delete": {
      const { search: rest, caret } = removeToken(search, index);
      return toCaret(rest, caret);
    }
    case "Enter": {
      // Changes AND to OR, and back.
      if (token.kind === "operator") {
        const other = search.slice(from, to) === "OR" ? "AND" : "OR";
        const changed = search.slice(0, from) + other + search.slice(to);
        return { search: changed, from, to: from + other.length, mode: "chosen" };
      }
      // The caret goes before a closing bracket or quote, where one can continue.
      const end = token.kind === "filter" && /[\]"]/.test(search[to - 1] ?? "") ? to - 1 : to;
      return { search, from: end, to: end, mode: "opened" };
    }
  }
}

function chooseToken(search: string, { from, to }: SearchToken): SearchCaret {
  return { search, from, to, mode: "chosen" };
}

/** Moves the caret to the end, ready for another word. */
function leave(search: string): SearchCaret {
  const text = search === "" || /\s$/.test(search) ? search : `${search} `;
  return toCaret(text, text.length);
}

function toCaret(search: string, at: number): SearchCaret {
  return { search, from: at, to: at, mode: null };
}

const KINDS = { filter: "filter", text: "text", operator: "operator", open: "parenthesis", close: "parenthesis" };

/** What a screen reader says about the chosen token. Empty: none is chosen. */
export function describeChosen({ search, from, to, mode }: SearchCaret): string {
  if (mode !== "chosen") return "";
  const tokens = splitSearch(search);
  const index = tokens.findIndex((token) => token.from === from && token.to === to);
  const token = tokens[index];
  if (!token) return "";
  const does = token.kind === "operator" ? "Enter changes it" : "Enter edits it";
  return `${search.slice(from, to)}, ${KINDS[token.kind]}, ${index + 1} of ${tokens.length}. ${does}, Backspace removes it.`;
}
