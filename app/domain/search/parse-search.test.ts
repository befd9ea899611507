import { describe, expect, test } from "vitest";
import { createRandom, makeNonsense } from "./fixtures/random.ts";
import { MAX_LIST_VALUES, MAX_SEARCH_DEPTH, MAX_SEARCH_LENGTH, MAX_SEARCH_TERMS, parseSearch } from "./parse-search.ts";
import { printFilter, printSearch, toSearchValue } from "./print-search.ts";
import { ANY_TEXT, type SearchNode } from "./search-tree.ts";

/** A short form of the tree: `{key:value}`, words as they are, groups in parentheses. */
function show(node: SearchNode | null): string {
  if (node === null) return "";
  const values = (value: { parts: ReadonlyArray<string | typeof ANY_TEXT> }) =>
    value.parts.map((part) => (part === ANY_TEXT ? "‹any›" : part)).join("");
  switch (node.kind) {
    case "all":
      return `(${node.parts.map(show).join(" & ")})`;
    case "any":
      return `(${node.parts.map(show).join(" | ")})`;
    case "not":
      return `¬${show(node.part)}`;
    case "text":
      return values(node.value);
    case "filter":
      return `{${node.isTag ? "tag " : ""}${node.key}${node.sign ?? ""}:${node.values.map(values).join(";")}}`;
  }
}

function withoutPlaces(node: SearchNode | null): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value) => (["from", "to", "keySpan"].includes(key) ? undefined : value)) ?? "null",
  );
}

describe("the search language", () => {
  test.each([
    ["", ""],
    ["   ", ""],
    ["is:unresolved level:error checkout", "({is:unresolved} & {level:error} & checkout)"],
    ["a OR b c", "(a | (b & c))"],
    ["a AND b OR c", "((a & b) | c)"],
    ["(a OR b) c", "((a | b) & c)"],
    ["!plan:pro !(a OR b) !TypeError", "(¬{plan:pro} & ¬(a | b) & ¬TypeError)"],
    ['plan:[pro, free tier, "a, b"]', "{plan:pro;free tier;a, b}"],
    ["timesSeen:>=100 age:-24h", "({timesSeen>=:100} & {age:-24h})"],
    ['message:"not a"* url:*/checkout', "({message:not a‹any›} & {url:‹any›/checkout})"],
    ['"is:resolved by hand" "x is not a \\"function\\""', '(is:resolved by hand & x is not a "function")'],
    ['tags[project]:x "my key":v *:sam@shop.example', "({tag project:x} & {my key:v} & {*:sam@shop.example})"],
    [
      "TypeError: https://a.example/x std::panic C:\\x 12:30",
      "(TypeError: & https://a.example/x & std::panic & C:\\x & 12:30)",
    ],
    [
      "x is undefined (reading 'map') f() a !== b wow! !important",
      "(x & is & undefined & (reading & 'map') & f() & a & !== & b & wow! & ¬important)",
    ],
    ["url:https://a.example/(x)?q=1 user:id:42", "({url:https://a.example/(x)?q=1} & {user:id:42})"],
    [
      "transaction:/checkout !url.path:/api/* file:///x",
      "({transaction:/checkout} & ¬{url.path:/api/‹any›} & file:///x)",
    ],
    [
      "größe:5 emoji🦊:x 🦊:[a, b] !ärger:ja キー:>5 _id:7 tags[größe]:5",
      "({größe:5} & {emoji🦊:x} & {🦊:a;b} & ¬{ärger:ja} & {キー>:5} & {_id:7} & {tag größe:5})",
    ],
    ['function:(anonymous) tier:"("', "({function:(anonymous)} & {tier:(})"],
    ["“quoted”:x !“a” shop’s:x größe: x", "(“quoted”:x & !“a” & shop’s:x & größe: & x)"],
    ["OReilly ANDROID or and", "(OReilly & ANDROID & or & and)"],
  ])("%s", (text, tree) => {
    const parsed = parseSearch(text);
    expect(parsed.errors).toEqual([]);
    expect(show(parsed.tree)).toBe(tree);
  });

  test.each([
    ['level:error "open', '"open', "This quote is not closed."],
    ['plan:"open', '"open', "This quote is not closed."],
    ["(a OR b", "(", "This parenthesis is not closed."],
    ["a OR b)", ")", "This parenthesis closes nothing."],
    ["a ()", "()", "nothing between"],
    ["a OR", "OR", "“OR” needs something to search for after it."],
    ["OR b", "OR", "before it"],
    ["a AND AND b", "AND", "after it"],
    ["plan:[a, b", "[", "not closed"],
    ["plan:[a,,b]", "", "A list needs a value here."],
    ["tier:(", "(", "A value cannot be a group."],
    ["tier:(pro OR free)", "(", "A value cannot be a group."],
    ["timesSeen:>", "", "“timesSeen:” needs a value here."],
  ])("%s is refused where it is wrong", (text, place, sentence) => {
    const { tree, errors } = parseSearch(text);
    expect(tree).toBeNull();
    const [error] = errors;
    expect(error?.message).toContain(sentence);
    expect(text.slice(error?.from, error?.to)).toBe(place);
  });

  test("figures are refused, because as text they would find nothing", () => {
    for (const figure of ["count():>5", "!p95(span.duration):>=1.5s", "a avg(n):3"])
      expect(parseSearch(figure).errors[0]?.message).toMatch(/^A search cannot compare figures, like “\w+\(/);
    for (const text of ['"count():>5"', "run(): failed", "run():failed", "at(5):", "a:count():>5"])
      expect(parseSearch(text).errors).toEqual([]);
  });

  test("length, depth, words and lists have bounds", () => {
    const refusal = (text: string) => parseSearch(text).errors[0]?.message ?? "";
    expect(refusal("x".repeat(MAX_SEARCH_LENGTH + 1))).toContain("2,000 characters");
    expect(refusal(`${"(".repeat(MAX_SEARCH_DEPTH + 1)}a${")".repeat(MAX_SEARCH_DEPTH + 1)}`)).toContain("20 groups");
    expect(parseSearch(`${"(".repeat(MAX_SEARCH_DEPTH)}a${")".repeat(MAX_SEARCH_DEPTH)}`).errors).toEqual([]);
    expect(refusal("a ".repeat(MAX_SEARCH_TERMS + 1))).toContain("100 words");
    expect(refusal(`k:[${"a,".repeat(MAX_LIST_VALUES)}a]`)).toContain("100 values");
    expect(refusal("(".repeat(MAX_SEARCH_LENGTH))).not.toBe("");
  });

  test("nonsense is read without a throw, has its errors in its text, and comes back as it was printed", () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const text = makeNonsense(createRandom(seed));
      const { tree, errors } = parseSearch(text);
      for (const { from, to, message } of errors) {
        expect(from >= 0 && from <= to && to <= text.length, `seed ${seed}: ${text}`).toBe(true);
        expect(message, `seed ${seed}: ${text}`).not.toContain("is not understood");
      }
      if (errors.length > 0) continue;
      const printed = printSearch(tree);
      const again = parseSearch(printed);
      expect(again.errors, `seed ${seed}: ${text} became ${printed}`).toEqual([]);
      expect(withoutPlaces(again.tree), `seed ${seed}: ${text} became ${printed}`).toEqual(withoutPlaces(tree));
      expect(printSearch(again.tree), `seed ${seed}`).toBe(printed);
    }
  });

  test("any key and any values can be written as a filter", () => {
    for (let seed = 1; seed <= 1_000; seed++) {
      const random = createRandom(seed);
      const key = makeNonsense(random) || "k";
      const texts = [makeNonsense(random), makeNonsense(random)];
      const values = texts.map((value) => ({ ...toSearchValue(value), from: 0, to: 0 }));
      for (const [isList, written] of [
        [true, values],
        [false, values.slice(1)],
      ] as const) {
        const text = printFilter({ key, isTag: false, sign: null, isList, values: written });
        const { tree, errors } = parseSearch(text);
        expect(errors, `seed ${seed}: ${text}`).toEqual([]);
        expect(tree, `seed ${seed}: ${text}`).toMatchObject({
          kind: "filter",
          key,
          values: written.map(({ parts }) => ({ parts })),
        });
      }
    }
  });
});
