import { describe, expect, test } from "vitest";
import type { GroupingContribution, GroupingExplanation } from "../../domain/grouping.ts";
import { compareGroupings } from "./compare-groupings.ts";

describe("why two events are not together", () => {
  test("frames that only one has are named, those that both have are not", () => {
    const compared = compareGroupings(
      byFrames("a", ["onClick", "checkout", "charge"]),
      byFrames("b", ["onClick", "charge"]),
    );
    expect(compared.sentence).toBe("The frames differ: only the first has checkout in cart.js.");
    expect(compared.parts.map((row) => `${row.in}: ${row.part.text}`)).toEqual([
      "both: TypeError",
      "both: onClick in cart.js",
      "first: checkout in cart.js",
      "both: charge in cart.js",
    ]);
  });

  test("another type is said before other frames", () => {
    const other = byFrames("b", ["load"], "RangeError");
    expect(compareGroupings(byFrames("a", ["onClick"]), other).sentence).toBe(
      "The exception types differ: only the first has TypeError; only the second has RangeError.",
    );
  });

  test("the same frames at other places of the stack are the same", () => {
    const moved = byFrames("a", ["onClick"]);
    for (const part of moved.contributions) if (part.kind === "frame") part.frame += 7;
    expect(compareGroupings(byFrames("a", ["onClick"]), moved)).toMatchObject({
      isSame: true,
      sentence: "Both have the same key.",
    });
  });

  test("what was grouped by different things, or by different rules, is said so", () => {
    const message: GroupingExplanation = {
      ...byFrames("b", []),
      basis: "message",
      variant: null,
      contributions: [{ kind: "message", value: "x" }],
    };
    expect(compareGroupings(byFrames("a", ["f"]), message).sentence).toBe(
      "They were grouped by different things: the first by an exception and its frames, the second by the words of a message.",
    );
    expect(
      compareGroupings(byFrames("a", ["f"]), { ...byFrames("b", ["f"]), version: "culprit:2" }).sentence,
    ).toContain("culprit:1 and culprit:2");
  });

  test("in-app frames on one side and all frames on the other are pointed out", () => {
    const all: GroupingExplanation = { ...byFrames("b", ["serve", "f"]), variant: "system" };
    expect(compareGroupings(byFrames("a", ["f"]), all).sentence).toBe(
      "The frames differ: only the second has serve in cart.js. One was grouped by in-app frames alone, the other by all of its frames.",
    );
  });

  test("a difference in one line of source shows the line", () => {
    const line = (hash: string, contextLine: string) => {
      const explanation = byFrames(hash, ["f"]);
      for (const part of explanation.contributions) if (part.kind === "frame") part.contextLine = contextLine;
      return explanation;
    };
    expect(compareGroupings(line("a", "x = 1"), line("b", "x = 2")).sentence).toBe(
      "The frames differ: only the first has f in cart.js: x = 1; only the second has f in cart.js: x = 2.",
    );
  });
});

function byFrames(hash: string, functions: string[], type = "TypeError"): GroupingExplanation {
  const frames = functions.map(
    (name, frame): GroupingContribution => ({
      kind: "frame",
      exception: 0,
      frame,
      filename: "cart.js",
      function: name,
    }),
  );
  return {
    version: "culprit:1",
    basis: "exception-stack",
    variant: "app",
    hash,
    contributions: [{ kind: "exception-type", exception: 0, value: type }, ...frames],
    omissions: [],
  };
}
