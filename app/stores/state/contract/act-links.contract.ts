import { expect, test } from "vitest";
import { type CreateStateDatabase, NOON, openStore } from "./fixture.ts";

export function describeActLinks(createDatabase: CreateStateDatabase): void {
  test("the key is made once", async () => {
    await using store = await openStore(createDatabase);
    const key = await store.actLinks.getKey();
    expect(Buffer.from(key, "base64url")).toHaveLength(32);
    expect(await store.actLinks.getKey()).toBe(key);
  });

  test("a link is used once, and forgotten when it is over", async () => {
    await using store = await openStore(createDatabase);
    const link = { hash: "a", expiresAt: NOON + 10, now: NOON };
    expect(await store.actLinks.isUsed("a")).toBe(false);
    expect(await store.actLinks.use(link)).toBe(true);
    expect([await store.actLinks.use(link), await store.actLinks.isUsed("a")]).toEqual([false, true]);
    await store.actLinks.use({ hash: "b", expiresAt: NOON + 100, now: NOON + 11 });
    expect([await store.actLinks.isUsed("a"), await store.actLinks.isUsed("b")]).toEqual([false, true]);
  });
}
