import { expect, test } from "vitest";
import { sayStoredShare } from "./say-stored-share.ts";

test.each([
  [{ arrived: 10, leftOut: 0 }, null],
  [
    { arrived: 10_000, leftOut: 9_000 },
    "Of 10,000 events in these hours, 1,000 are stored. Shares and counts are those of the stored events: each stands for about 10.",
  ],
  [
    { arrived: 50, leftOut: 30 },
    "Of 50 events in these hours, 20 are stored. Shares and counts are those of the stored events: each stands for about 2.5. They are few, so the shares of all events may be quite different.",
  ],
  [{ arrived: 5, leftOut: 5 }, "Of 5 events in these hours, 0 are stored. Nobody knows the tags of the others."],
])("%j", (hour, sentence) => expect(sayStoredShare(hour)).toBe(sentence));
