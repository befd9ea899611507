import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { nodeHttpPlugin } from "./vite-node-http-plugin.ts";

const PROGRAM = `import http, { createServer, STATUS_CODES } from "node:http";
import * as all from "http";
const isLoaded = () => process.moduleLoadList.some((name) => name.includes("undici"));
const before = isLoaded();
void globalThis.Request;
const isSame = createServer === http.createServer && all.request === http.request && STATUS_CODES[404] === "Not Found";
console.log(JSON.stringify({ before, after: isLoaded(), isSame }));`;

test("a program that imports node:http does not load fetch before it asks for it", async () => {
  using folder = makeTempFolder();
  writeFileSync(join(folder.path, "program.js"), PROGRAM);
  await build({
    root: folder.path,
    configFile: false,
    logLevel: "warn",
    plugins: [nodeHttpPlugin()],
    build: { ssr: "program.js", outDir: "built", rolldownOptions: { output: { entryFileNames: "program.mjs" } } },
  });
  const said = execFileSync(process.execPath, [join(folder.path, "built", "program.mjs")], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual({ before: false, after: true, isSame: true });
});
