import { describe, expect, test } from "vitest";
import { createRandom, makeNonsense, pick } from "../../domain/search/fixtures/random.ts";
import { type CaretKey, describeChosen, moveInSearch, type SearchCaret } from "./move-in-search.ts";

/** `|` is the caret, `‹` and `›` are the caret in a token that was opened or typed, and `⟦…⟧` is the chosen token. */
function read(shown: string): SearchCaret {
  const chosen = /^(.*)⟦(.*)⟧(.*)$/.exec(shown);
  if (chosen) {
    const [, before = "", token = "", after = ""] = chosen;
    const from = before.length;
    return { search: before + token + after, from, to: from + token.length, mode: "chosen" };
  }
  const at = shown.search(/[|‹›]/);
  const mode = shown[at] === "‹" ? "opened" : shown[at] === "›" ? "typed" : null;
  return { search: shown.slice(0, at) + shown.slice(at + 1), from: at, to: at, mode };
}

function show(caret: SearchCaret | null): string | null {
  if (caret === null) return null;
  const { search, from, to, mode } = caret;
  if (mode === "chosen") return `${search.slice(0, from)}⟦${search.slice(from, to)}⟧${search.slice(to)}`;
  const sign = mode === "opened" ? "‹" : mode === "typed" ? "›" : "|";
  return search.slice(0, from) + sign + search.slice(to);
}

describe("a key in the search", () => {
  test.each<[CaretKey, string, string | null]>([
    // From a caret that edits nothing, tokens are chosen.
    ["ArrowLeft", "is:new level:error|", "is:new ⟦level:error⟧"],
    ["ArrowLeft", "is:new level:error |", "is:new ⟦level:error⟧ "],
    ["Backspace", "is:new level:error |", "is:new ⟦level:error⟧ "],
    ["ArrowRight", "|is:new a", "⟦is:new⟧ a"],
    ["Delete", "|is:new a", "⟦is:new⟧ a"],
    ["ArrowLeft", "|is:new", null],
    ["ArrowRight", "is:new|", null],
    ["Backspace", "|", null],
    ["Backspace", "a (b) |", "a (b⟦)⟧ "],
    // Words are text.
    ["Backspace", "is:new checkout |", null],
    ["Backspace", "is:new checkout|", null],
    // Within a token, a key moves by letters, and takes letters.
    ["ArrowLeft", "is:ne|w", null],
    ["Backspace", "is:ne|w", null],
    ["ArrowLeft", "is:new›", null],
    ["Backspace", "is:new›", null],
    ["ArrowLeft", "a ›is:new", "⟦a⟧ is:new"],
    ["ArrowRight", "is:new› b", "is:new ⟦b⟧"],
    ["Enter", "is:new›", null],
    ["Escape", "is:new›", null],
    ["Escape", "is:new‹ b", "⟦is:new⟧ b"],
    // From a chosen token.
    ["ArrowLeft", "a ⟦is:new⟧", "⟦a⟧ is:new"],
    ["ArrowLeft", "⟦a⟧ is:new", "|a is:new"],
    ["ArrowRight", "⟦a⟧ is:new", "a ⟦is:new⟧"],
    ["ArrowRight", "a ⟦is:new⟧", "a is:new |"],
    ["Escape", "⟦a⟧ is:new", "a is:new |"],
    ["Backspace", "a OR ⟦is:new⟧", "a |"],
    ["Delete", "⟦a⟧ is:new", "|is:new"],
    ["Enter", "⟦is:new⟧ b", "is:new‹ b"],
    ["Enter", "⟦plan:[a, b]⟧", "plan:[a, b‹]"],
    ["Enter", 'a ⟦os:"Mac OS"⟧', 'a os:"Mac OS‹"'],
    ["Enter", "a ⟦OR⟧ b", "a ⟦AND⟧ b"],
    ["Enter", "a ⟦AND⟧ b", "a ⟦OR⟧ b"],
  ])("%s at %s", (key, before, after) => {
    expect(show(moveInSearch(key, read(before)))).toBe(after);
  });

  test("any keys in any search keep the selection in the text, and arrows change no token", () => {
    const keys: CaretKey[] = ["ArrowLeft", "ArrowRight", "Enter", "Escape", "Backspace", "Delete"];
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = createRandom(seed);
      const search = makeNonsense(random);
      let caret: SearchCaret = { search, from: search.length, to: search.length, mode: null };
      for (let step = 0; step < 12; step++) {
        const key = pick(random, keys);
        const next = moveInSearch(key, caret);
        if (next === null) continue;
        const say = `seed ${seed}, ${key} at ${show(caret)}: ${show(next)}`;
        expect(0 <= next.from && next.from <= next.to && next.to <= next.search.length, say).toBe(true);
        if (key.startsWith("Arrow") || key === "Escape")
          expect(next.search.trimEnd(), say).toBe(caret.search.trimEnd());
        if (next.mode === "chosen") expect(describeChosen(next), say).toContain(next.search.slice(next.from, next.to));
        caret = next;
      }
    }
  });

  test("arrows go through every token and back", () => {
    let caret: SearchCaret | null = read("!plan:[a, b] OR (x level:>=2)|");
    const seen: string[] = [];
    while (caret !== null) {
      caret = moveInSearch("ArrowLeft", caret);
      if (caret?.mode === "chosen") seen.push(caret.search.slice(caret.from, caret.to));
    }
    expect(seen).toEqual([")", "level:>=2", "x", "(", "OR", "!plan:[a, b]"]);
  });

  test("what is chosen is said", () => {
    expect(describeChosen(read("a ⟦is:new⟧"))).toBe("is:new, filter, 2 of 2. Enter edits it, Backspace removes it.");
    expect(describeChosen(read("a ⟦OR⟧ b"))).toContain("Enter changes it");
    expect(describeChosen(read("a|"))).toBe("");
  });
});
