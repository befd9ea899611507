// `node scripts/build-server.ts`: the server's own modules as a few files in `build/node`, with source maps beside them. Decision
// 054 has the measurements. Most packages stay outside: npm installs them, and some are native.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { nodeHttpPlugin } from "../app/server/vite-node-http-plugin.ts";
import { packagesPlugin } from "../app/server/vite-packages-plugin.ts";
import { hashSources } from "./source-hash.mjs";

const root = resolve(import.meta.dirname, "..");

/** Path from the root. */
const SERVER_BUILD = "build/node";

/**
 * Programs, and modules that are loaded by their URL: threads, and the stores that threads open. File names are unique, because they share
 * a folder.
 */
const ENTRIES = [
  "server.ts",
  "instrument.server.ts",
  "app/digest/digest-worker.ts",
  "app/digest/map-worker.ts",
  "app/server/log-tail-worker.ts",
  "app/server/open-digest-stores.ts",
  "app/server/open-symbolicator-stores.ts",
  "app/features/auth/password-worker.ts",
  "app/symbolicate/symbolicator-worker.ts",
  "app/symbolicate/bundle-worker.ts",
];

/** Packages of many small files, some 300: a start would look for each, read and link it. The others stay outside. */
const BUNDLED = [
  /^@bufbuild\/protobuf/,
  "@duckdb/node-api",
  "@opentelemetry/api",
  "@remix-run/node-fetch-server",
  "bintrees",
  "prom-client",
  "tdigest",
];

/** Takes some seconds, and does nothing when no source has changed since. */
export async function buildServer(): Promise<void> {
  const marker = join(root, SERVER_BUILD, ".source-hash");
  const hash = hashSources(root);
  if (existsSync(marker) && readFileSync(marker, "utf8") === hash) return;
  rmSync(marker, { force: true });
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [keepPlaces(), nodeHttpPlugin(), packagesPlugin("node")],
    ssr: { noExternal: BUNDLED },
    build: {
      ssr: true,
      outDir: SERVER_BUILD,
      target: "node22",
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((entry) => [toName(entry), resolve(root, entry)])),
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          sourcemapExcludeSources: true,
          // V8 keeps the source text of loaded code, two bytes a character if one of them is beyond Latin-1. Names stay, because stacks
          // show them.
          comments: false,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
        },
      },
    },
  });
  // Read only here: a server that is built already needs none of it.
  const { prepareDatabases } = await import("./prepare-databases.ts");
  await prepareDatabases();
  writeFileSync(marker, hash);
}

/**
 * A module finds neighbouring files (migrations, the pages) at the place of its source, and programs at the place of their build. No line
 * moves, so the source maps stay correct.
 */
function keepPlaces(): Plugin {
  const built = new Map(ENTRIES.map((entry) => [resolve(root, entry), `./${toName(entry)}.js`]));
  return {
    name: "keep-places",
    transform(code, id) {
      // Modules of the bundler itself have no place (their id begins with NUL).
      if (!code.includes("import.meta.") || id.includes("/node_modules/") || id.startsWith("\0")) return null;
      const url = built.get(id) ?? `../../${relative(root, id)}`;
      const folder = `/../../${relative(root, dirname(id))}`;
      return {
        code: code
          .replace(/(?<=new URL\()"([^"]+\.ts)"(?=, import\.meta\.url\))/g, (_, path: string) => {
            const program = built.get(resolve(dirname(id), path));
            if (!program) throw new Error(`${id} loads ${path}: name it in ENTRIES`);
            return JSON.stringify(program);
          })
          // A program's URL was made relative to the build; all else is relative to the source.
          .replace(/(?<!"\.\/[\w-]+\.js", )import\.meta\.url/g, `new URL(${JSON.stringify(url)}, import.meta.url).href`)
          .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(folder)})`),
        map: null,
      };
    },
  };
}

function toName(entry: string): string {
  return entry.replace(/^.*\//, "").replace(/\.ts$/, "");
}

if (import.meta.main) await buildServer();
