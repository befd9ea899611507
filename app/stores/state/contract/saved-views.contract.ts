import { expect, test } from "vitest";
import { MAX_VIEWS } from "../../../domain/saved-view.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, NOON, openStore, scopeOf } from "./fixture.ts";

const ALL = scopeOf(1, 2);

async function createUser(store: Pick<State, "people">, name: string): Promise<number> {
  return store.people.createMember({
    email: `${name}@shop.example`,
    name,
    passwordHash: "-",
    role: "manager",
    teamIds: [],
    projectIds: [],
    at: NOON,
  });
}

/** Views of lists: private and shared, by scope. */
export function describeSavedViews(createDatabase: CreateStateDatabase): void {
  const view = { list: "issues", query: "q=level%3Afatal", isShared: false, projectIds: [] } as const;

  test("a person's views have an order, and each name once in a list", async () => {
    await using store = await openStore(createDatabase);
    const { savedViews } = store;
    const mia = await createUser(store, "mia");
    const names = async () => (await savedViews.listViews(ALL, mia)).map(({ list, name }) => `${list} ${name}`);
    const made = await savedViews.createView(ALL, mia, { ...view, name: "Fatal" });
    if (!made.ok) throw new Error(made.reason);
    await savedViews.createView(ALL, mia, { ...view, name: "Mine" });
    await savedViews.createView(ALL, mia, { ...view, name: "Fatal", list: "logs" });
    expect(await savedViews.createView(ALL, mia, { ...view, name: "Mine" })).toEqual({
      ok: false,
      reason: "name-taken",
    });
    expect(await names()).toEqual(["issues Fatal", "issues Mine", "logs Fatal"]);
    expect(await savedViews.moveView(ALL, mia, made.id, -1)).toBe(false);
    expect(await savedViews.moveView(ALL, mia, made.id, 1)).toBe(true);
    expect(await names()).toEqual(["issues Mine", "issues Fatal", "logs Fatal"]);
    expect(await savedViews.changeView(ALL, mia, made.id, { name: "Mine" })).toBe("name-taken");
    expect(await savedViews.changeView(ALL, mia, made.id, { name: "Worst" })).toBe("changed");
    expect(await savedViews.deleteView(ALL, mia, made.id)).toEqual({ defaultOf: [] });
    expect(await savedViews.deleteView(ALL, mia, made.id)).toBeNull();
    expect(await savedViews.changeView(ALL, mia, made.id, { name: "Gone" })).toBe("not-found");
    await savedViews.createView(ALL, mia, { ...view, name: "Back", place: 0 });
    expect(await names()).toEqual(["issues Back", "issues Mine", "logs Fatal"]);
  });

  test("others use what is shared, and cannot change it", async () => {
    await using store = await openStore(createDatabase);
    const { savedViews } = store;
    const [mia, ben] = [await createUser(store, "mia"), await createUser(store, "ben")];
    const own = await savedViews.createView(ALL, mia, { ...view, name: "Private" });
    const shared = await savedViews.createView(ALL, mia, { ...view, name: "Shared", isShared: true });
    if (!own.ok || !shared.ok) throw new Error("not made");
    expect(await savedViews.listViews(ALL, ben)).toEqual([
      {
        id: shared.id,
        list: "issues",
        name: "Shared",
        query: view.query,
        isShared: true,
        isOwn: false,
        ownerName: "mia",
        isDefault: false,
        place: 2,
      },
    ]);
    expect(await savedViews.changeView(ALL, ben, shared.id, { name: "Ours" })).toBe("not-found");
    expect(await savedViews.moveView(ALL, ben, shared.id, -1)).toBe(false);
    expect(await savedViews.deleteView(ALL, ben, shared.id)).toBeNull();
    expect(await savedViews.setDefaultView(ALL, ben, "issues", own.id)).toBe(false);
    expect(await savedViews.setDefaultView(ALL, ben, "logs", shared.id)).toBe(false);
    expect(await savedViews.setDefaultView(ALL, ben, "issues", shared.id)).toBe(true);
    const defaults = async (userId: number) =>
      (await savedViews.listViews(ALL, userId)).filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expect(await defaults(ben)).toEqual(["Shared"]);
    expect(await defaults(mia)).toEqual([]);
    await savedViews.changeView(ALL, mia, shared.id, { isShared: false });
    await savedViews.changeView(ALL, mia, shared.id, { isShared: true });
    expect(await defaults(ben)).toEqual([]);
    await savedViews.setDefaultView(ALL, ben, "issues", shared.id);
    await savedViews.setDefaultView(ALL, ben, "issues", null);
    expect(await defaults(ben)).toEqual([]);
  });

  test("a shared view that comes back is the default of those whose default it was, unless they took another", async () => {
    await using store = await openStore(createDatabase);
    const { savedViews } = store;
    const people = [await createUser(store, "mia"), await createUser(store, "ben"), await createUser(store, "eve")];
    const [mia = 0, ben = 0, eve = 0] = people;
    const make = async (name: string, isShared: boolean) => {
      const made = await savedViews.createView(ALL, mia, { ...view, name, isShared });
      if (!made.ok) throw new Error(made.reason);
      return made.id;
    };
    const [shared, other] = [await make("Shared", true), await make("Other", true)];
    for (const userId of people) await savedViews.setDefaultView(ALL, userId, "issues", shared);
    const deleted = await savedViews.deleteView(ALL, mia, shared);
    expect(deleted).toEqual({ defaultOf: [ben, eve] });
    await savedViews.setDefaultView(ALL, eve, "issues", other);
    const back = await make("Shared", true);
    await savedViews.restoreDefaults(ALL, ben, back, [eve]);
    await savedViews.restoreDefaults(ALL, mia, back, [ben, eve, 999_999]);
    const defaults = async (userId: number) =>
      (await savedViews.listViews(ALL, userId)).filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expect(await Promise.all(people.map(defaults))).toEqual([[], ["Shared"], ["Other"]]);
    const hidden = await make("Private", false);
    await savedViews.setDefaultView(ALL, ben, "issues", null);
    await savedViews.restoreDefaults(ALL, mia, hidden, [ben]);
    expect(await defaults(ben)).toEqual([]);
  });

  test("a view of projects outside of the scope does not exist", async () => {
    await using store = await openStore(createDatabase);
    const { savedViews } = store;
    const [mia, ben] = [await createUser(store, "mia"), await createUser(store, "ben")];
    const made = await savedViews.createView(ALL, mia, { ...view, name: "Secret", isShared: true, projectIds: [1, 2] });
    if (!made.ok) throw new Error(made.reason);
    expect(await savedViews.listViews(scopeOf(1), ben)).toEqual([]);
    expect(await savedViews.listViews(scopeOf(1), mia)).toEqual([]);
    expect(await savedViews.setDefaultView(scopeOf(1), ben, "issues", made.id)).toBe(false);
    expect(await savedViews.changeView(scopeOf(1), mia, made.id, { name: "x" })).toBe("not-found");
    expect(await savedViews.deleteView(scopeOf(1), mia, made.id)).toBeNull();
    expect(await savedViews.listViews(ALL, ben)).toHaveLength(1);
  });

  test("views follow a project that is renamed, and name no other", async () => {
    await using store = await openStore(createDatabase);
    const mia = await createUser(store, "mia");
    const [web, other] = [await createProject(store, "web"), await createProject(store, "other")];
    const save = (name: string, query: string, projectIds: number[]) =>
      store.savedViews.createView(ALL, mia, { ...view, name, query, projectIds });
    await save("In the search", "q=is%3Anew+project%3Aweb", [web]);
    await save("Beside it", "project=web&project=other", [web, other]);
    await save("Another", "project=other", [other]);
    await store.projects.changeProject(ALL, web, { name: "The web" });
    await store.projects.changeProject(ALL, web, { slug: "site" });
    expect((await store.savedViews.listViews(ALL, mia)).map(({ query }) => query)).toEqual([
      "q=is%3Anew+project%3Asite",
      "project=site&project=other",
      "project=other",
    ]);
    // A project that takes the old slug takes no view.
    const again = await createProject(store, "web");
    await store.projects.changeProject(ALL, again, { slug: "third" });
    expect((await store.savedViews.listViews(ALL, mia))[0]?.query).toBe("q=is%3Anew+project%3Asite");
  });

  test(`a person has at most ${MAX_VIEWS}`, async () => {
    await using store = await openStore(createDatabase);
    const mia = await createUser(store, "mia");
    for (let index = 0; index < MAX_VIEWS; index++)
      await store.savedViews.createView(ALL, mia, { ...view, name: `View ${index}` });
    const further = { ...view, list: "logs", name: "One more" } as const;
    expect(await store.savedViews.createView(ALL, mia, further)).toEqual({ ok: false, reason: "too-many" });
  });
}
