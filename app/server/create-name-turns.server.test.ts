import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { createNameTurns } from "./create-name-turns.server.ts";

test("names that are never found leave room for others, however many are asked for", async () => {
  const begun: string[] = [];
  const ends: Array<(addresses: LookupAddress[]) => void> = [];
  const resolve = createNameTurns((hostname) => {
    begun.push(hostname);
    return new Promise((end) => ends.push(end));
  });
  const never = new AbortController().signal;
  const first = resolve("one.example", never);
  resolve("two.example", never);
  const leaving = new AbortController();
  const third = resolve("three.example", leaving.signal);
  const fourth = resolve("four.example", never);
  leaving.abort();
  await expect(third).rejects.toThrow("other names take too long");
  expect(begun).toEqual(["one.example", "two.example"]);

  const address = [{ address: "8.8.8.8", family: 4 }];
  ends[0]?.(address);
  expect(await first).toEqual(address);
  await expect.poll(() => begun).toEqual(["one.example", "two.example", "four.example"]);
  ends[2]?.(address);
  expect(await fourth).toEqual(address);
});
