import { expect, test } from "vitest";
import { parseEventSearch } from "./event-search.ts";

const ID = "0123456789abcdef0123456789abcdef";

test("words, tags, users and traces are read together", () => {
  expect(
    parseEventSearch(`checkout "not found" plan:pro plan:trial level:warn environment:"eu west" trace:${ID}`),
  ).toEqual({
    filter: {
      words: ["checkout", "not found"],
      anyOfTags: [
        { key: "plan", values: ["pro", "trial"] },
        { key: "level", values: ["warning"] },
        { key: "environment", values: ["eu west"] },
      ],
      traceId: ID,
    },
    tags: {
      anyOfTags: [
        { key: "plan", values: ["pro", "trial"] },
        { key: "level", values: ["warning"] },
        { key: "environment", values: ["eu west"] },
      ],
    },
    id: null,
    problems: [],
  });
  expect(parseEventSearch("user:lena@example.com").filter.anyOfTags).toEqual([
    { key: "user", values: ["id", "email", "username", "ip"].map((kind) => `${kind}:lena@example.com`) },
  ]);
  expect(parseEventSearch("  ")).toMatchObject({ filter: { anyOfTags: [] }, id: null, problems: [] });
});

test("a key with “!” leaves events out", () => {
  const { filter, tags, problems } = parseEventSearch("!browser:Safari !plan:pro !plan:trial release:1");
  expect(filter).toEqual({
    tags: [
      { key: "browser", value: "Safari", isNegated: true },
      { key: "plan", value: "pro", isNegated: true },
      { key: "plan", value: "trial", isNegated: true },
    ],
    anyOfTags: [{ key: "release", values: ["1"] }],
  });
  expect(tags.anyOfTags.map(({ key }) => key)).toEqual(["release", "browser", "plan"]);
  expect(problems).toEqual([]);
});

test("an id alone is looked up, with hyphens too; among words it is text", () => {
  expect(parseEventSearch(` ${ID} `).id).toBe(ID);
  expect(parseEventSearch("01234567-89AB-cdef-0123-456789abcdef").id).toBe(ID);
  expect(parseEventSearch(`${ID} x`)).toMatchObject({ id: null, filter: { words: [ID, "x"] } });
});

test.each([
  ["is:unresolved", /“is:” is not known here/],
  ["project:shop", /“project:” is not known here/],
  ["level:loud", /“level:loud” is not known. It can be /],
  ["a OR b", /“OR” is not known/],
  ["!checkout", /“!checkout” is not known/],
  ["has:user", /“has:” is not known/],
  ["trace:12", /32 hexadecimal digits/],
  [`!trace:${ID}`, /“!trace:” is not known/],
  ["plan:p*", /“plan:p\*” is not known/],
  [Array.from({ length: 11 }, (_, index) => `word${index}`).join(" "), /At most 10 words/],
  ["plan:x ".repeat(101), /at most 100 words/],
])("%s is refused with a sentence", (search, sentence) => {
  const [problem] = parseEventSearch(search).problems;
  expect(problem).toMatch(sentence);
});
