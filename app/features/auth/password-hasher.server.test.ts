import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { DECOY_HASH } from "./password.server.ts";
import { createPasswordHasher, type PasswordThread } from "./password-hasher.server.ts";

const BUSY = { ok: false, reason: "busy", retryAfterSeconds: 5 };
let hasher: PasswordThread;
afterEach(() => hasher.close());

/** It takes a hundredth of the time of a real hash: most tests check only the order of requests. */
const CHEAP_HASH = DECOY_HASH.replace(/^scrypt\$\d+\$8\$3/, "scrypt$1024$8$1");

const verifyAsStranger = (signal?: AbortSignal) =>
  hasher.verify("a guess", CHEAP_HASH, { lane: "strangers", ...(signal && { signal }) });

describe("the password hasher", () => {
  test("verifies what it has hashed", async () => {
    hasher = createPasswordHasher();
    const hashed = await hasher.hash("correct horse", { lane: "known" });
    if (!hashed.ok) throw new Error("busy");
    expect(await hasher.verify("correct horse", hashed.hash, { lane: "known" })).toEqual({ ok: true, isRight: true });
    expect(await hasher.verify("wrong horse", hashed.hash, { lane: "known" })).toEqual({ ok: true, isRight: false });
    expect(await hasher.verify("correct horse", "no hash", { lane: "known" })).toEqual({ ok: true, isRight: false });
  });

  test("refuses at once what does not fit into the queue, and takes it later", async () => {
    hasher = createPasswordHasher({ maxWaiting: 3 });
    const fitting = [1, 2, 3, 4].map(() => verifyAsStranger());
    expect(hasher.waiting("strangers")).toBe(3);
    expect(await verifyAsStranger()).toEqual(BUSY);
    expect(await Promise.all(fitting)).toEqual(Array(4).fill({ ok: true, isRight: false }));
    expect(await verifyAsStranger()).toEqual({ ok: true, isRight: false });
  });

  test("takes those who are known before strangers, who cannot take their places", async () => {
    hasher = createPasswordHasher({ maxWaiting: 3 });
    const order: string[] = [];
    const strangers = [1, 2, 3, 4].map((number) => verifyAsStranger().then(() => order.push(`stranger ${number}`)));
    const known = hasher.verify("mine", CHEAP_HASH, { lane: "known" }).then(() => order.push("known"));
    await Promise.all([...strangers, known]);
    expect(order).toEqual(["stranger 1", "known", "stranger 2", "stranger 3", "stranger 4"]);
  });

  test("gives back the place of a request that was abandoned", async () => {
    hasher = createPasswordHasher({ maxWaiting: 1 });
    const running = verifyAsStranger();
    const abandoned = new AbortController();
    const waiting = verifyAsStranger(abandoned.signal);
    expect(await verifyAsStranger()).toEqual(BUSY);
    abandoned.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(hasher.waiting("strangers")).toBe(0);
    const next = verifyAsStranger();
    expect(hasher.waiting("strangers")).toBe(1);
    await expect(verifyAsStranger(AbortSignal.abort(new Error("gone before")))).resolves.toEqual(BUSY);
    expect(await Promise.all([running, next])).toEqual(Array(2).fill({ ok: true, isRight: false }));
  });

  test("has a thread only while it is asked", async () => {
    hasher = createPasswordHasher({ idleMs: 20 });
    expect(hasher.hasThread()).toBe(false);
    await verifyAsStranger();
    expect(hasher.hasThread()).toBe(true);
    await expect.poll(() => hasher.hasThread()).toBe(false);
    expect(await verifyAsStranger()).toEqual({ ok: true, isRight: false });
  });

  test("fails one request when its thread dies of it, and goes on with a new thread", async () => {
    hasher = createPasswordHasher();
    const impossible = hasher.verify("x", "scrypt$3$8$1$AAAA$AAAA", { lane: "strangers" });
    const next = verifyAsStranger();
    await expect(impossible).rejects.toThrow(/scrypt/i);
    expect(await next).toEqual({ ok: true, isRight: false });
  });

  test.runIf(process.platform === "linux")("computes on a thread of low priority, not on the pool", async () => {
    hasher = createPasswordHasher();
    const verifyAtFullCost = () => hasher.verify("a guess", DECOY_HASH, { lane: "strangers" });
    await verifyAtFullCost();
    const ticksBefore = readThreads();
    await Promise.all(Array.from({ length: 3 }, verifyAtFullCost));
    const busiest = readThreads()
      .map((thread) => ({
        ...thread,
        ticks: thread.ticks - (ticksBefore.find(({ id }) => id === thread.id)?.ticks ?? 0),
      }))
      .sort((a, b) => b.ticks - a.ticks)
      .slice(0, 2);
    expect(busiest[0]?.nice).toBeGreaterThan(readThreads().find(({ id }) => id === process.pid)?.nice ?? 0);
    // A single thread did all the work.
    expect(busiest[0]?.ticks).toBeGreaterThan(3 * (busiest[1]?.ticks ?? 0));
  });

  test("refuses those who wait when it is closed", async () => {
    hasher = createPasswordHasher();
    const asked = [1, 2].map(() => verifyAsStranger());
    const refused = Promise.allSettled(asked);
    await hasher.close();
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(hasher.hasThread()).toBe(false);
  });
});

/** The threads of this process, with their processor time in ticks and their priority. */
function readThreads(): Array<{ id: number; ticks: number; nice: number }> {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    // Fields after the name in brackets: 14 and 15 are user and system time, 19 is the nice value (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { id: Number(id), ticks: Number(fields[11]) + Number(fields[12]), nice: Number(fields[16]) };
  });
}
