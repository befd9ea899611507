import { expect, test } from "vitest";
import { createAfterAnswer } from "./create-after-answer.server.ts";

const HOUR_MS = 3_600_000;

test("a server that stops begins what waits, and waits until it is done", async () => {
  const { afterAnswer, finish } = createAfterAnswer({ maxPauseMs: HOUR_MS });
  const done: string[] = [];
  afterAnswer(async () => {
    done.push("begun");
    await new Promise((wake) => setImmediate(wake));
    done.push("mailed");
  });
  afterAnswer(() => Promise.resolve().then(() => void done.push("other")));
  expect(done).toEqual([]);
  await finish({ withinMs: HOUR_MS });
  expect(done.toSorted()).toEqual(["begun", "mailed", "other"]);
});

test("it does not wait for one that never ends", async () => {
  const { afterAnswer, finish } = createAfterAnswer({ maxPauseMs: 0 });
  afterAnswer(() => new Promise(() => undefined));
  await finish({ withinMs: 1 });
});
