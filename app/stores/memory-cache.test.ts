import { expect, test } from "vitest";
import { MemoryCache } from "./memory-cache.ts";

/** Counts how often each key is loaded. */
function createLoader() {
  const loads: string[] = [];
  return {
    loads,
    load:
      (key: string, bytes = 1_000) =>
      async () => {
        loads.push(key);
        await Promise.resolve();
        return { value: key, bytes };
      },
  };
}

test("loads once for all who ask at the same time", async () => {
  const cache = new MemoryCache({ maxBytes: 10_000 });
  const { loads, load } = createLoader();
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get("a", load("a"))));
  expect(new Set(answers)).toEqual(new Set(["a"]));
  expect(loads).toEqual(["a"]);
});

test("forgets what was used longest ago, when the budget is spent", async () => {
  const cache = new MemoryCache({ maxBytes: 5_000 });
  const { loads, load } = createLoader();
  for (const key of ["a", "b", "c", "a", "d"]) await cache.get(key, load(key));
  // 1,500 bytes each: three have room.
  expect(cache.stats()).toMatchObject({ entries: 3, bytes: 4_500 });
  await cache.get("a", load("a"));
  await cache.get("b", load("b"));
  expect(loads).toEqual(["a", "b", "c", "d", "b"]);
});

test("does not keep what is larger than the budget alone, nor drop others for it", async () => {
  const cache = new MemoryCache({ maxBytes: 5_000 });
  const { loads, load } = createLoader();
  await cache.get("small", load("small"));
  expect(await cache.get("large", load("large", 100_000))).toBe("large");
  expect(cache.stats()).toMatchObject({ entries: 1, bytes: 1_500 });
  await cache.get("large", load("large", 100_000));
  expect(loads).toEqual(["small", "large", "large"]);
});

test("keeps that there is nothing, and does not keep that a load failed", async () => {
  const cache = new MemoryCache({ maxBytes: 5_000 });
  let nothingCount = 0;
  const nothing = async () => ({ value: ++nothingCount > 0 ? null : null, bytes: 0 });
  expect(await cache.get("none", nothing)).toBeNull();
  expect(await cache.get("none", nothing)).toBeNull();
  expect(nothingCount).toBe(1);
  let attempts = 0;
  const flaky = async () => {
    if (++attempts === 1) throw new Error("disk");
    return { value: "x", bytes: 1 };
  };
  const both = await Promise.allSettled([cache.get("flaky", flaky), cache.get("flaky", flaky)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await cache.get("flaky", flaky)).toBe("x");
  expect(attempts).toBe(2);
});

test("stays within its budget whatever comes at once", async () => {
  const cache = new MemoryCache({ maxBytes: 50_000 });
  const { load } = createLoader();
  const keys = Array.from({ length: 2_000 }, (_, index) => `${(index * 7_919) % 97}`);
  await Promise.all(keys.map((key) => cache.get(key, load(key, 500 + (Number(key) % 13) * 700))));
  const { bytes, entries, hits, loads } = cache.stats();
  expect(bytes).toBeLessThanOrEqual(50_000);
  expect(entries).toBeGreaterThan(5);
  expect(loads).toBeGreaterThanOrEqual(97);
  expect(hits + loads).toBeLessThanOrEqual(2_000);
});

test("does not keep what says that it may change", async () => {
  const cache = new MemoryCache({ maxBytes: 5_000 });
  let loads = 0;
  const load = async () => ({ value: ++loads, bytes: 1, isLasting: false });
  expect(await cache.get("a", load)).toBe(1);
  expect(await cache.get("a", load)).toBe(2);
  expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
});

test("forgets keys, and does not keep what is being loaded for them", async () => {
  const cache = new MemoryCache({ maxBytes: 10_000 });
  const { loads, load } = createLoader();
  await cache.get("1:a", load("1:a"));
  await cache.get("2:a", load("2:a"));
  const loading = cache.get("1:b", load("1:b"));
  cache.forget((key) => key.startsWith("1:"));
  expect(await loading).toBe("1:b");
  for (const key of ["1:a", "1:b", "2:a"]) await cache.get(key, load(key));
  expect(loads).toEqual(["1:a", "2:a", "1:b", "1:a", "1:b"]);
});
