import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { BUNDLED, PROGRAMS_FOLDER } from "./programs.ts";

const root = resolve(import.meta.dirname, "../..");

/** Modules that are loaded by their URL: the threads' own, and the stores that threads open. */
const LOADED_BY_URL = [
  "app/digest/digest-worker.ts",
  "app/digest/map-worker.ts",
  "app/server/log-tail-worker.ts",
  "app/server/open-digest-stores.ts",
  "app/server/open-symbolicator-stores.ts",
  "app/server/password-worker.ts",
  "app/symbolicate/symbolicator-worker.ts",
];

/** What pages share with the server (`ssr.external` of vite.config.ts), and what is native. */
const NOT_BUNDLED = ["@duckdb/*", "react", "react-dom", "react-router", "@react-router/*"];

/**
 * Before the tests: bundles the server that they start some 170 times. Of the 1.4 s of processor time of a start, 0.5 s went into
 * finding, reading and stripping its modules, in each of its threads. `npm start`, the demo, the commands and the packed
 * release run module by module all the same, and so does a server that a test starts with `runsSources`.
 */
export default async function bundlePrograms(): Promise<void> {
  if (process.env.TEST_PROGRAMS) return;
  const entries = [...BUNDLED, ...LOADED_BY_URL];
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outbase: root,
    outdir: PROGRAMS_FOLDER,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: NOT_BUNDLED,
    // For packages in CommonJS that need Node's own modules.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    plugins: [keepPlaces(new Set(entries))],
    logLevel: "warning",
    write: false,
  });
  const written = new Set(outputFiles.map(({ path }) => path));
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const made = `${path}.${process.pid}`;
    writeFileSync(made, contents);
    renameSync(made, path);
  }
  for (const name of readdirSync(PROGRAMS_FOLDER, { recursive: true, encoding: "utf8" })) {
    const path = join(PROGRAMS_FOLDER, name);
    if (name.endsWith(".js") && !written.has(path)) rmSync(path, { force: true });
  }
  process.env.TEST_PROGRAMS = PROGRAMS_FOLDER;
}

/** Modules find files beside them (migrations, the build) where their sources are, and each other where they are bundled. */
function keepPlaces(entries: ReadonlySet<string>): Plugin {
  const toUrl = (path: string) => {
    const name = relative(root, path);
    return pathToFileURL(entries.has(name) ? join(PROGRAMS_FOLDER, name.replace(/\.ts$/, ".js")) : path).href;
  };
  return {
    name: "keep-places",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path.includes("/node_modules/")) return undefined;
        const contents = readFileSync(path, "utf8")
          .replace(/new URL\("([^"]+\.ts)", import\.meta\.url\)/g, (_, name: string) => {
            return `new URL(${JSON.stringify(toUrl(resolve(dirname(path), name)))})`;
          })
          .replaceAll("import.meta.url", JSON.stringify(toUrl(path)))
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
        return { contents, loader: "ts" };
      });
    },
  };
}
