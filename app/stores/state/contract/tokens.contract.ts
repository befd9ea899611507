import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, NOON, openStore } from "./fixture.ts";

/** `createUser` makes the user that tokens belong to, and gives its id. */
export function describeTokens<Stores extends Pick<State, "tokens">>(
  createDatabase: CreateStateDatabase<Stores>,
  createUser: (stores: Stores) => Promise<number>,
): void {
  test("a token is found by the hash of its secret, and gives what it was made with", async () => {
    await using store = await openStore(createDatabase);
    const userId = await createUser(store);
    const token = await store.tokens.createToken({
      kind: "organization",
      name: "ci",
      scopes: ["org:ci", "project:releases"],
      hint: "4f2e",
      userId,
      tokenHash: "a".repeat(64),
      expiresAt: NOON + 1,
      at: NOON,
    });
    expect(token).toEqual({
      id: expect.any(Number),
      kind: "organization",
      name: "ci",
      scopes: ["org:ci", "project:releases"],
      hint: "4f2e",
      userId,
      createdAt: NOON,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: NOON + 1,
    });
    expect(await store.tokens.findToken("a".repeat(64))).toEqual({ ...token, revokedAt: null });
    expect(await store.tokens.getToken(token.id)).toEqual(token);
    expect(await store.tokens.findToken("b".repeat(64))).toBeNull();
    expect(await store.tokens.getToken(999)).toBeNull();
  });

  test("tokens are listed newest first, and go when they are revoked, which is still known of them", async () => {
    await using store = await openStore(createDatabase);
    const userId = await createUser(store);
    const create = (name: string, at: number) =>
      store.tokens.createToken({
        kind: "personal",
        name,
        scopes: [],
        hint: "",
        userId,
        expiresAt: null,
        tokenHash: name,
        at,
      });
    const old = await create("old", NOON);
    await create("new", NOON + 1);
    await create("same", NOON + 1);
    expect((await store.tokens.listTokens()).map(({ name }) => name)).toEqual(["same", "new", "old"]);
    expect(await store.tokens.revokeToken(old.id, NOON + 5)).toBe(true);
    expect(await store.tokens.revokeToken(old.id, NOON + 6)).toBe(false);
    expect(await store.tokens.findToken("old")).toMatchObject({ revokedAt: NOON + 5 });
    expect(await store.tokens.getToken(old.id)).toBeNull();
    expect(await store.tokens.listTokens()).toHaveLength(2);
  });

  test("a hash is taken once, and a token has a user", async () => {
    await using store = await openStore(createDatabase);
    const userId = await createUser(store);
    const token = {
      kind: "personal",
      name: "",
      scopes: [],
      hint: "",
      userId,
      expiresAt: null,
      tokenHash: "x",
      at: NOON,
    } as const;
    await store.tokens.createToken({ ...token, scopes: [] });
    await expect(store.tokens.createToken({ ...token, scopes: [] })).rejects.toThrow();
    await expect(store.tokens.createToken({ ...token, scopes: [], tokenHash: "y", userId: 404 })).rejects.toThrow();
    expect(await store.tokens.listTokens()).toHaveLength(1);
  });

  test("use is noted at most once a minute, and never goes back", async () => {
    await using store = await openStore(createDatabase);
    const userId = await createUser(store);
    const { id } = await store.tokens.createToken({
      kind: "personal",
      name: "",
      scopes: [],
      hint: "",
      userId,
      tokenHash: "x",
      expiresAt: null,
      at: NOON,
    });
    const lastUsedAt = async () => (await store.tokens.getToken(id))?.lastUsedAt;
    await store.tokens.noteTokenUse(id, NOON + 5.5, "192.0.2.1");
    expect(await lastUsedAt()).toBe(NOON + 5);
    await store.tokens.noteTokenUse(id, NOON + MINUTE_MS, "192.0.2.1");
    expect(await lastUsedAt()).toBe(NOON + 5);
    await store.tokens.noteTokenUse(id, NOON + 5 + MINUTE_MS, "192.0.2.1");
    expect(await lastUsedAt()).toBe(NOON + 5 + MINUTE_MS);
    await store.tokens.noteTokenUse(id, NOON, "192.0.2.1");
    expect(await lastUsedAt()).toBe(NOON + 5 + MINUTE_MS);
    expect((await store.tokens.getToken(id))?.lastUsedFrom).toBe("192.0.2.1");
    await store.tokens.noteTokenUse(999, NOON, "192.0.2.1");
  });
}
