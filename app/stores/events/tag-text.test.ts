import { expect, test } from "vitest";
import { escapeTagKey, escapeTagValue, fromTagPair, fromTagText, toTagText } from "./tag-text.ts";

test("writes tags as lines of key and value", () => {
  expect(toTagText([])).toBe("");
  expect(
    toTagText([
      ["os", "Linux 6.1"],
      ["url", "/a?b=c"],
    ]),
  ).toBe("\nos=Linux 6.1\nurl=/a?b=c\n");
});

test("gives every tag back as it was", () => {
  const tags: Array<[string, string]> = [
    ["", ""],
    ["=", "="],
    ["a=b", "c=d"],
    ["line\nfeed", "\n"],
    ["\\", "\\\\"],
    ["\\n", "\\e"],
    ["\\=", "\\\n="],
  ];
  expect(fromTagText(toTagText(tags))).toEqual(tags);
  for (const tag of tags) {
    expect(fromTagPair(`${escapeTagKey(tag[0])}=${escapeTagValue(tag[1])}`)).toEqual(tag);
    expect(fromTagText(toTagText([tag]))).toEqual([tag]);
  }
});

test("no value can look like another tag", () => {
  expect(toTagText([["a", "1\nb=2\n"]])).not.toContain("\nb=2\n");
  expect(
    toTagText([
      ["a", "1"],
      ["b", "2"],
    ]),
  ).toContain("\nb=2\n");
});
