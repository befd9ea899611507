import { expect, test } from "vitest";
import type { SourceLinks } from "../../../domain/source-link.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createKey, createProject, EVERYTHING, NOON, openStore } from "./fixture.ts";

const WEB = { slug: "web", name: "Web", platform: "javascript-react", at: NOON };

export function describeProjectsAndKeys(
  createDatabase: CreateStateDatabase<Pick<State, "projects" | "directory">>,
): void {
  test("a project is made with one enabled key, and found by id and slug", async () => {
    await using store = await openStore(createDatabase);
    const created = await store.projects.createProject(WEB);
    if (!created.ok) throw new Error(created.reason);
    const { project } = created;
    expect(project).toEqual({
      id: expect.any(Number),
      slug: "web",
      name: "Web",
      platform: "javascript-react",
      allowedOrigins: [],
      sourceLinks: null,
      fetchesSourceMaps: false,
      serviceRules: [],
      apdexMs: 300,
      groupingMovedAt: null,
      createdAt: NOON,
      firstEventAt: null,
    });
    expect(await store.projects.getProject(EVERYTHING, project.id)).toEqual(project);
    expect(await store.projects.getProjectBySlug(EVERYTHING, "web")).toEqual(project);
    expect(await store.projects.getProject(EVERYTHING, 999)).toBeNull();
    expect(await store.projects.getProjectBySlug(EVERYTHING, "other")).toBeNull();
    expect(await store.projects.listProjects(EVERYTHING)).toEqual([project]);
    expect(await store.projects.listKeys(EVERYTHING, project.id)).toEqual([
      {
        id: expect.any(Number),
        projectId: project.id,
        label: "Default",
        publicKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        isEnabled: true,
        rateLimit: null,
        sdkFeatures: [],
        createdAt: NOON,
      },
    ]);
  });

  test("projects are listed in the order of their names", async () => {
    await using store = await openStore(createDatabase);
    for (const name of ["Web 10", "web 2", "API"])
      await store.projects.createProject({ ...WEB, slug: name.toLowerCase().replace(" ", "-"), name });
    const listed = await store.projects.listProjects(EVERYTHING);
    expect(listed.map(({ name }) => name)).toEqual(["API", "web 2", "Web 10"]);
  });

  test("a slug that is taken is refused, and nothing is made", async () => {
    await using store = await openStore(createDatabase);
    await store.projects.createProject(WEB);
    const version = await store.directory.version();
    expect(await store.projects.createProject({ ...WEB, name: "Other" })).toEqual({ ok: false, reason: "slug-taken" });
    expect(await store.projects.listProjects(EVERYTHING)).toHaveLength(1);
    expect(await store.directory.listKeys()).toHaveLength(1);
    expect(await store.directory.version()).toBe(version);
  });

  test("a project changes only in what is named", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    await createProject(store, "api");
    const allowedOrigins = ["https://example.com", "*.example.org"];
    const changed = await store.projects.changeProject(EVERYTHING, projectId, { name: "Shop", allowedOrigins });
    expect(changed).toMatchObject({ ok: true, project: { name: "Shop", slug: "web", allowedOrigins } });
    const sourceLinks = {
      host: "github",
      repositoryUrl: "https://github.com/acme/shop",
      template: null,
      defaultBranch: "main",
      codeMappings: [
        { stackRoot: "/srv/app", sourceRoot: "packages/web" },
        { stackRoot: "", sourceRoot: "" },
      ],
    } satisfies SourceLinks;
    expect(await store.projects.changeProject(EVERYTHING, projectId, { sourceLinks })).toMatchObject({
      project: { sourceLinks },
    });
    expect(await store.projects.changeProject(EVERYTHING, projectId, { platform: "go" })).toMatchObject({
      project: { allowedOrigins, sourceLinks },
    });
    expect((await store.projects.getProject(EVERYTHING, projectId))?.sourceLinks).toEqual(sourceLinks);
    expect(await store.projects.changeProject(EVERYTHING, projectId, { fetchesSourceMaps: true })).toMatchObject({
      project: { fetchesSourceMaps: true, sourceLinks },
    });
    expect((await store.projects.getProject(EVERYTHING, projectId))?.fetchesSourceMaps).toBe(true);
    expect(await store.projects.changeProject(EVERYTHING, projectId, { apdexMs: 1_200 })).toMatchObject({
      project: { apdexMs: 1_200, fetchesSourceMaps: true },
    });
    expect((await store.projects.getProject(EVERYTHING, projectId))?.apdexMs).toBe(1_200);
    const serviceRules = [{ service: "checkout-*", projectId }];
    await store.projects.changeProject(EVERYTHING, projectId, { serviceRules });
    expect(await store.projects.getProject(EVERYTHING, projectId)).toMatchObject({ serviceRules, sourceLinks });
    expect(await store.projects.changeProject(EVERYTHING, projectId, { sourceLinks: null })).toMatchObject({
      project: { sourceLinks: null, fetchesSourceMaps: true },
    });
    expect(await store.projects.changeProject(EVERYTHING, projectId, { slug: "api" })).toEqual({
      ok: false,
      reason: "slug-taken",
    });
    expect(await store.projects.changeProject(EVERYTHING, 999, { name: "x" })).toEqual({
      ok: false,
      reason: "not-found",
    });
    expect(await store.projects.changeProject(EVERYTHING, projectId, { slug: "web" })).toMatchObject({ ok: true });
    expect(await store.projects.changeProject(EVERYTHING, projectId, { slug: "shop", platform: "node" })).toMatchObject(
      {
        ok: true,
      },
    );
    expect(await store.projects.getProjectBySlug(EVERYTHING, "shop")).toMatchObject({
      id: projectId,
      name: "Shop",
      platform: "node",
    });
    expect(await store.projects.getProjectBySlug(EVERYTHING, "web")).toBeNull();
  });

  test("keys are made, changed and deleted one by one", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    const otherId = await createProject(store, "other");
    const publicKey = "0123456789abcdef0123456789abcdef";
    const key = await createKey(store, { projectId, label: "Mobile", publicKey, at: NOON });
    expect(key).toMatchObject({ projectId, label: "Mobile", publicKey, isEnabled: true, rateLimit: null });
    const rateLimit = { count: 100, windowSeconds: 60 };
    expect(await store.projects.changeKey(EVERYTHING, key.id, { rateLimit })).toEqual({ ...key, rateLimit });
    expect(await store.projects.changeKey(EVERYTHING, key.id, { isEnabled: false })).toEqual({
      ...key,
      rateLimit,
      isEnabled: false,
    });
    expect(await store.projects.changeKey(EVERYTHING, key.id, { rateLimit: null, label: "App" })).toEqual({
      ...key,
      isEnabled: false,
      label: "App",
    });
    const sdkFeatures = ["tracing", "feedback"] as const;
    expect(await store.projects.changeKey(EVERYTHING, key.id, { sdkFeatures })).toMatchObject({
      label: "App",
      sdkFeatures,
    });
    expect((await store.directory.listKeys()).find(({ id }) => id === key.id)?.sdkFeatures).toEqual(sdkFeatures);
    expect(await store.projects.changeKey(EVERYTHING, 999, { label: "x" })).toBeNull();
    expect((await store.projects.listKeys(EVERYTHING, projectId)).map((listed) => listed.label)).toEqual([
      "Default",
      "App",
    ]);
    expect(await store.directory.listKeys()).toHaveLength(3);
    expect(await store.projects.listKeys(EVERYTHING, otherId)).toHaveLength(1);
    expect(await store.projects.deleteKey(EVERYTHING, key.id)).toBe(true);
    expect(await store.projects.deleteKey(EVERYTHING, key.id)).toBe(false);
    expect(await store.projects.listKeys(EVERYTHING, projectId)).toHaveLength(1);
  });

  test("two keys never have the same public key, and a key belongs to a project that exists", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "web");
    const key = { projectId, label: "x", publicKey: "a".repeat(32), at: NOON };
    await store.projects.createKey(EVERYTHING, key);
    await expect(store.projects.createKey(EVERYTHING, key)).rejects.toThrow();
    expect(
      await store.projects.createKey(EVERYTHING, { ...key, publicKey: "b".repeat(32), projectId: 999 }),
    ).toBeNull();
    expect(await store.directory.listKeys()).toHaveLength(2);
  });

  test("the configuration's version grows with each change, and every connection sees it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const reader = await database.connect();
    const versions = [await reader.directory.version()];
    const note = async () => versions.push(await reader.directory.version());
    const projectId = await createProject(store, "web");
    await note();
    await store.projects.changeProject(EVERYTHING, projectId, { name: "Shop" });
    await note();
    const key = await createKey(store, {
      projectId,
      label: "x",
      publicKey: "c".repeat(32),
      at: NOON,
    });
    await note();
    await store.projects.changeKey(EVERYTHING, key.id, { isEnabled: false });
    await note();
    await store.projects.deleteKey(EVERYTHING, key.id);
    await note();
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(await store.projects.deleteKey(EVERYTHING, key.id)).toBe(false);
    expect(await reader.directory.version()).toBe(versions.at(-1));
  });
}
