import { expect, test } from "vitest";
import { type CreateStateDatabase, createProject, NOON, openStore, scopeOf } from "./fixture.ts";

export function describeStatusPages(createDatabase: CreateStateDatabase): void {
  test("a project has one page, which strangers find by its slug until it is taken down", async () => {
    await using store = await openStore(createDatabase);
    const { statusPages, statusPageLinks } = store;
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const scope = scopeOf(web);
    const page = { projectId: web, slug: "shop", title: "Shop", monitorIds: [2, 1], showsAddresses: false };
    expect(await statusPages.saveStatusPage(scope, page)).toBe("saved");
    expect(await statusPages.saveStatusPage(scopeOf(api), { ...page, projectId: api })).toBe("taken");
    expect(await statusPages.saveStatusPage(scope, { ...page, projectId: api, slug: "api" })).toBe("not-found");
    expect(await statusPageLinks.findStatusPage("shop")).toEqual(page);
    expect(await statusPages.getStatusPage(scopeOf(api), web)).toBeNull();
    const other = { ...page, slug: "store", showsAddresses: true };
    expect(await statusPages.saveStatusPage(scope, other)).toBe("saved");
    expect(await statusPages.getStatusPage(scope, web)).toEqual(other);
    expect(await statusPageLinks.findStatusPage("shop")).toBeNull();
    expect(await statusPages.deleteStatusPage(scopeOf(api), web)).toBeNull();
    expect(await statusPages.deleteStatusPage(scope, web)).toEqual(other);
    expect(await statusPages.deleteStatusPage(scope, web)).toBeNull();
    expect(await statusPageLinks.findStatusPage("store")).toBeNull();
  });

  test("a page that was taken down comes back, unless the project has one again or another page has its slug", async () => {
    await using store = await openStore(createDatabase);
    const { statusPages, statusPageLinks } = store;
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const scope = scopeOf(web);
    const page = { projectId: web, slug: "shop", title: "Shop", monitorIds: [2, 1], showsAddresses: true };
    await statusPages.saveStatusPage(scope, page);
    expect(await statusPages.restoreStatusPage(scope, { ...page, title: "Other" })).toBe("exists");
    expect(await statusPageLinks.findStatusPage("shop")).toEqual(page);
    await statusPages.deleteStatusPage(scope, web);
    expect(await statusPages.restoreStatusPage(scopeOf(api), page)).toBe("not-found");
    expect(await statusPages.restoreStatusPage(scope, page)).toBe("saved");
    expect(await statusPageLinks.findStatusPage("shop")).toEqual(page);
    await statusPages.deleteStatusPage(scope, web);
    await statusPages.saveStatusPage(scopeOf(api), { ...page, projectId: api });
    expect(await statusPages.restoreStatusPage(scope, page)).toBe("taken");
  });

  test("the page of a deleted project is gone at once", async () => {
    await using store = await openStore(createDatabase);
    const web = await createProject(store, "web");
    const page = { projectId: web, slug: "shop", title: "Shop", monitorIds: [], showsAddresses: false };
    await store.statusPages.saveStatusPage(scopeOf(web), page);
    await store.deletions.deleteProject(scopeOf(web), { projectId: web, userId: null, at: NOON });
    expect(await store.statusPageLinks.findStatusPage("shop")).toBeNull();
  });
}
