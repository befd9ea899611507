import { expect, test } from "vitest";
import type { StateStore } from "../state-store.ts";
import { type CreateStateDatabase, MINUTE_MS, NOON } from "./fixture.ts";

async function createUser(store: StateStore): Promise<number> {
  const set = await store.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: null,
    at: NOON,
  });
  if (!set.ok) throw new Error("the owner is there already");
  return set.userId;
}

export function describeTokens(createDatabase: CreateStateDatabase): void {
  test("a token is found by the hash of its secret, and gives what it was made with", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const userId = await createUser(store);
    const token = await store.createToken({
      kind: "organization",
      name: "ci",
      scopes: ["org:ci", "project:releases"],
      hint: "4f2e",
      userId,
      tokenHash: "a".repeat(64),
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
    });
    expect(await store.findToken("a".repeat(64))).toEqual(token);
    expect(await store.getToken(token.id)).toEqual(token);
    expect(await store.findToken("b".repeat(64))).toBeNull();
    expect(await store.getToken(999)).toBeNull();
  });

  test("tokens are listed newest first, and go when they are deleted", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const userId = await createUser(store);
    const create = (name: string, at: number) =>
      store.createToken({ kind: "personal", name, scopes: [], hint: "", userId, tokenHash: name, at });
    const old = await create("old", NOON);
    await create("new", NOON + 1);
    await create("same", NOON + 1);
    expect((await store.listTokens()).map(({ name }) => name)).toEqual(["same", "new", "old"]);
    expect(await store.deleteToken(old.id)).toBe(true);
    expect(await store.deleteToken(old.id)).toBe(false);
    expect(await store.findToken("old")).toBeNull();
    expect(await store.listTokens()).toHaveLength(2);
  });

  test("a hash is taken once, and a token has a user", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const userId = await createUser(store);
    const token = { kind: "personal", name: "", scopes: [], hint: "", userId, tokenHash: "x", at: NOON } as const;
    await store.createToken({ ...token, scopes: [] });
    await expect(store.createToken({ ...token, scopes: [] })).rejects.toThrow();
    await expect(store.createToken({ ...token, scopes: [], tokenHash: "y", userId: 404 })).rejects.toThrow();
    expect(await store.listTokens()).toHaveLength(1);
  });

  test("use is noted at most once a minute, and never goes back", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const userId = await createUser(store);
    const { id } = await store.createToken({
      kind: "personal",
      name: "",
      scopes: [],
      hint: "",
      userId,
      tokenHash: "x",
      at: NOON,
    });
    const lastUsedAt = async () => (await store.getToken(id))?.lastUsedAt;
    await store.noteTokenUse(id, NOON + 5.5);
    expect(await lastUsedAt()).toBe(NOON + 5);
    await store.noteTokenUse(id, NOON + MINUTE_MS);
    expect(await lastUsedAt()).toBe(NOON + 5);
    await store.noteTokenUse(id, NOON + 5 + MINUTE_MS);
    expect(await lastUsedAt()).toBe(NOON + 5 + MINUTE_MS);
    await store.noteTokenUse(id, NOON);
    expect(await lastUsedAt()).toBe(NOON + 5 + MINUTE_MS);
    await store.noteTokenUse(999, NOON);
  });
}
