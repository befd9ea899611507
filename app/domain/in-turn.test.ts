import { expect, test } from "vitest";
import { createInTurn } from "./in-turn.ts";

test("work waits for the work before it, also when that one fails", async () => {
  const inTurn = createInTurn();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const failing = inTurn(async () => {
    steps.push("first begins");
    await gate.promise;
    steps.push("first ends");
    throw new Error("the first fails");
  });
  const second = inTurn(() => {
    steps.push("second");
    return "done";
  });
  gate.resolve();
  await expect(failing).rejects.toThrow("the first fails");
  expect(await second).toBe("done");
  expect(steps).toEqual(["first begins", "first ends", "second"]);
});
