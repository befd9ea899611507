import { expect, test } from "vitest";
import { judgeSpam, SPAM_SENDERS, toComparedText } from "./judge-spam.ts";

const NEW = { senderCount: 1, isMarked: false, isCleared: false };

test("the same text from several senders is spam from the last of them on", () => {
  expect(judgeSpam(NEW)).toBeNull();
  expect(judgeSpam({ ...NEW, senderCount: SPAM_SENDERS - 1 })).toBeNull();
  expect(judgeSpam({ ...NEW, senderCount: SPAM_SENDERS })).toBe("many_senders");
});

test("what people decided about a text comes first", () => {
  expect(judgeSpam({ ...NEW, isMarked: true })).toBe("known_text");
  expect(judgeSpam({ senderCount: 100, isMarked: true, isCleared: true })).toBeNull();
});

test("texts are compared without case, blanks and punctuation, and short ones are not", () => {
  expect(toComparedText("Buy CHEAP watches!!! at example.com")).toBe("buy cheap watches at example com");
  expect(toComparedText("  buy cheap\nwatches at: example com")).toBe("buy cheap watches at example com");
  expect(toComparedText("It does not work!")).toBeNull();
  expect(toComparedText("—".repeat(50))).toBeNull();
});
