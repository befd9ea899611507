import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listSetUpSnippets } from "../../app/features/source-maps/set-up-snippets.ts";
import { getJson } from "../support/api.ts";
import { makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { checkOutApp, type PluginApp } from "./plugin-app.ts";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startServer();
  token = await makeToken(server, { scopes: ["org:ci"] });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** Where the snippets of bundlers that need an entry have it, and what builds with a configuration in CommonJS. */
const COMPLETIONS: Record<string, (app: PluginApp) => void> = {
  vite: () => {},
  webpack(app) {
    app.write("package.json", "{}");
    app.write("src/index.js", 'console.log("a shop");\n');
    app.write("build.mjs", readFileSync(join(app.folder, "build.mjs"), "utf8").replace("config.mjs", "config.js"));
  },
  esbuild: (app) => app.write("src/index.ts", 'console.log("a shop");\n'),
  "react-router": () => {},
};

/** Of all scripts that were built. */
function readDebugIds({ folder }: PluginApp): string[] {
  const scripts = globSync("{dist,build}/**/*.{js,cjs,mjs}", { cwd: folder });
  return scripts.flatMap(
    (file) => /(?:debugId=|sentry-dbid-)([0-9a-f-]{36})/.exec(readFileSync(join(folder, file), "utf8"))?.[1] ?? [],
  );
}

test.each(Object.keys(COMPLETIONS) as Array<Parameters<typeof checkOutApp>[0]>)(
  "what the page of source maps tells to write for %s uploads every source map",
  async (name) => {
    const project = await makeProject(server, `told-${name}`);
    const snippets = listSetUpSnippets({ serverUrl: server.url, org: "default", project: project.slug });
    using app = checkOutApp(name);
    COMPLETIONS[name]?.(app);
    for (const file of snippets.find(({ id }) => id === name)?.files ?? []) app.write(file.name, file.code);
    const built = await app.build({ url: server.url, project: null, token });
    expect(built.code, built.output).toBe(0);
    const debugIds = readDebugIds(app);
    expect(debugIds, built.output).not.toEqual([]);
    const query = new URLSearchParams(debugIds.map((id) => ["debugId", id]));
    const path = `/projects/default/${project.slug}/sourcemaps/doctor/?${query}`;
    // Where a busy machine took too long to read an upload, the answer says so, and to ask again.
    await expect.poll(() => getJson(server, path)).toMatchObject({ ok: true });
  },
);
