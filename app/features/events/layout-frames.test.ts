import { describe, expect, test } from "vitest";
import type { Frame } from "../../domain/event.ts";
import { findCrashFrame, layoutFrames, type StackBlock } from "./layout-frames.ts";

const own = (name: string): Frame => ({ function: name, in_app: true });
const foreign = (name: string): Frame => ({ function: name, in_app: false });
const words = (blocks: StackBlock[]) =>
  blocks.map((block) =>
    block.kind === "frame"
      ? `${block.placed.frame.function}×${block.placed.repeatCount}`
      : `[${block.frames.map((one) => one.frame.function).join(" ")}]`,
  );

describe("the layout of a stack", () => {
  const frames = [foreign("main"), foreign("serve"), own("handle"), foreign("map"), own("total")];

  test("reads newest first, with runs of foreign frames folded and a single one left", () => {
    expect(words(layoutFrames(frames, { order: "newest", isFull: false }))).toEqual([
      "total×1",
      "map×1",
      "handle×1",
      "[serve main]",
    ]);
  });

  test("reads oldest first when asked", () => {
    expect(words(layoutFrames(frames, { order: "oldest", isFull: false }))).toEqual([
      "[main serve]",
      "handle×1",
      "map×1",
      "total×1",
    ]);
  });

  test("shows every frame when asked", () => {
    expect(words(layoutFrames(frames, { order: "oldest", isFull: true }))).toHaveLength(5);
  });

  test("never folds the frame that failed, even when it is foreign", () => {
    const blocks = layoutFrames([own("handle"), foreign("a"), foreign("b"), foreign("fail")], {
      order: "newest",
      isFull: false,
    });
    expect(words(blocks)).toEqual(["fail×1", "[b a]", "handle×1"]);
  });

  test("folds nothing when no frame is the application's", () => {
    expect(words(layoutFrames([foreign("a"), foreign("b")], { order: "newest", isFull: false }))).toEqual([
      "b×1",
      "a×1",
    ]);
  });

  test("joins recursion into one frame and keeps the innermost", () => {
    const blocks = layoutFrames([own("walk"), own("walk"), own("walk")], { order: "newest", isFull: false });
    expect(words(blocks)).toEqual(["walk×3"]);
    expect(blocks[0]?.kind === "frame" && blocks[0].placed.index).toBe(2);
  });

  test("finds the frame to open: the last one of the application, else the last", () => {
    expect(findCrashFrame([own("a"), foreign("b")])).toBe(0);
    expect(findCrashFrame([foreign("a"), foreign("b")])).toBe(1);
    expect(findCrashFrame([])).toBe(-1);
  });
});
