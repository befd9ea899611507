import { describe, expect, test } from "vitest";
import { createRandom, makeNonsense } from "./fixtures/random.ts";
import { MAX_SEARCH_LENGTH, parseSearch } from "./parse-search.ts";
import { removeToken, splitSearch } from "./split-search.ts";

const slices = (text: string) => splitSearch(text).map(({ from, to }) => text.slice(from, to));

function withoutPlaces(text: string): unknown {
  return JSON.parse(
    JSON.stringify(parseSearch(text).tree, (key, value) =>
      ["from", "to", "keySpan"].includes(key) ? undefined : value,
    ),
  );
}

describe("the tokens of a search", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["is:unresolved  checkout", ["is:unresolved", "checkout"]],
    ['!plan:[pro, "a, b"] OR (a AND !"b c")', ['!plan:[pro, "a, b"]', "OR", "(", "a", "AND", '!"b c"', ")"]],
    ["!(a OR b:>=5)", ["!(", "a", "OR", "b:>=5", ")"]],
    ['level:error "open', ["level:error", '"open']],
    ["a ) OR", ["a", ")", "OR"]],
  ])("of %s", (text, expected) => {
    expect(slices(text)).toEqual(expected);
  });

  test("a filter has a sign, a key, a comparison, and values", () => {
    const text = "!tags[a]:>[1,  2]";
    const [token] = splitSearch(text);
    expect(token?.parts.map(({ role, from, to }) => [role, text.slice(from, to)])).toEqual([
      ["sign", "!"],
      ["key", "tags[a]"],
      ["mark", ":"],
      ["compare", ">"],
      ["mark", "["],
      ["value", "1"],
      ["mark", ",  "],
      ["value", "2"],
      ["mark", "]"],
    ]);
  });

  test("random text becomes tokens and the same text again", () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const text = makeNonsense(createRandom(seed));
      const say = `seed ${seed}: ${text}`;
      let again = "";
      let at = 0;
      for (const { from, to, parts } of splitSearch(text)) {
        expect(text.slice(at, from).trim(), say).toBe("");
        expect(from < to && from >= at, say).toBe(true);
        again += text.slice(at, from) + parts.map((part) => text.slice(part.from, part.to)).join("");
        at = to;
      }
      expect(text.slice(at).trim(), say).toBe("");
      expect(again + text.slice(at), say).toBe(text);
      // One blank between tokens, where there were some, means the same.
      if (parseSearch(text).errors.length > 0) continue;
      const printed = splitSearch(text)
        .map(({ from, to }, index, all) => text.slice(from, to) + ((all[index + 1]?.from ?? to) > to ? " " : ""))
        .join("");
      expect(withoutPlaces(printed), say).toEqual(withoutPlaces(text));
    }
  });

  test("text that is too long is one token", () => {
    expect(splitSearch("a ".repeat(MAX_SEARCH_LENGTH))).toHaveLength(1);
  });
});

describe("without a token", () => {
  test.each<[string, number, string]>([
    ["a b c", 1, "a |c"],
    ["a b", 1, "a |"],
    ["a", 0, "|"],
    ["a OR b", 2, "a |"],
    ["a OR b", 0, "|b"],
    ["a OR b AND c", 2, "a OR |c"],
    ["a OR b", 1, "a |b"],
    ["x (a)", 2, "x |"],
    ["x OR !(a OR (b)) y", 6, "x OR !(a |) y"],
    ["x (a OR b)", 1, "x |a OR b"],
    ["x (a OR b) y", 5, "x |a OR b y"],
    ["(a)b", 1, "|b"],
    ['"a"(b)"c"', 2, '"a"| "c"'],
  ])("%s, %i", (text, index, expected) => {
    const { search, caret } = removeToken(text, index);
    expect(`${search.slice(0, caret)}|${search.slice(caret)}`).toBe(expected);
  });

  test("a search that is understood still is, and has its other tokens", () => {
    let count = 0;
    for (let seed = 1; seed <= 3_000; seed++) {
      const text = makeNonsense(createRandom(seed));
      if (parseSearch(text).errors.length > 0) continue;
      const before = splitSearch(text);
      before.forEach((token, index) => {
        if (token.kind !== "filter" && token.kind !== "text") return;
        count++;
        const { search, caret } = removeToken(text, index);
        const say = `seed ${seed}: ${text} without ${text.slice(token.from, token.to)} is ${search}`;
        expect(parseSearch(search).errors, say).toEqual([]);
        expect(caret >= 0 && caret <= search.length, say).toBe(true);
        const rest = before.filter(({ kind }, at) => at !== index && (kind === "filter" || kind === "text"));
        const left = splitSearch(search).filter(({ kind }) => kind === "filter" || kind === "text");
        expect(
          left.map(({ from, to }) => search.slice(from, to)),
          say,
        ).toEqual(rest.map(({ from, to }) => text.slice(from, to)));
      });
    }
    expect(count).toBeGreaterThan(500);
  });
});
