import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { copySources } from "../../scripts/pack/copy-sources.ts";
import { findLoaded } from "../../scripts/pack/find-loaded.ts";
import { pruneLock } from "../../scripts/pack/prune-lock.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

test("findLoaded finds every form of import, and no import in a text", () => {
  const code = `
    import a from "./a.ts";
    import { b } from "b";
    import "./c.ts";
    import data from "../package.json" with { type: "json" };
    export * from "./d.ts";
    export const text = 'import x from "./not.ts"';
    const e = () => import("./e.ts");
    const g = () => import(\`g\`);
    const h = () => import(\`./h-\${text}.ts\`);
    new Worker(new URL("./f.ts", import.meta.url));
    new URL("./not-either.ts", "http://localhost");
    import(text);`;
  expect(findLoaded(code).map(({ specifier }) => specifier)).toEqual([
    "./a.ts",
    "b",
    "./c.ts",
    "../package.json",
    "./d.ts",
    "./e.ts",
    "g",
    "./f.ts",
  ]);
});

describe("copySources", () => {
  test("copies what a module loads, as JavaScript whose lines and columns are those of the source", () => {
    using folder = makeTempFolder();
    const root = join(folder.path, "root");
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    write(
      "main.ts",
      'import type { T } from "./types.ts";\nimport { b } from "./lib/b.ts";\nconst t: T = b("./lib/b.ts");\n',
    );
    write(
      "lib/b.ts",
      'import { x } from "some-package/part";\nexport const worker = new URL("./w.ts", import.meta.url);\n',
    );
    write("lib/w.ts", 'import { join } from "node:path";\n');
    write("types.ts", "export type T = string;\n");
    const target = join(folder.path, "target");
    const { files, packages } = copySources(root, target, ["main.ts"]);
    expect(files).toEqual(["main.ts", "lib/b.ts", "lib/w.ts"]);
    expect([...packages]).toEqual(["some-package"]);
    const lines = readFileSync(join(target, "main.js"), "utf8").split("\n");
    expect(lines[1]).toBe('import { b } from "./lib/b.js";');
    // A text is left alone, and a type is as many blanks.
    expect(lines[2]).toBe('const t    = b("./lib/b.ts");');
    expect(readFileSync(join(target, "lib/b.js"), "utf8")).toContain('new URL("./w.js", import.meta.url)');
  });

  test("fails when a module is missing", () => {
    using folder = makeTempFolder();
    writeFileSync(join(folder.path, "main.ts"), 'import "./gone.ts";\n');
    expect(() => copySources(folder.path, join(folder.path, "to"), ["main.ts"])).toThrow("./gone.ts");
  });
});

describe("pruneLock", () => {
  const packages = {
    "": {},
    "node_modules/a": { version: "1.0.0", dependencies: { b: "^2.0.0" }, devOptional: true },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/a/node_modules/b": { version: "2.0.0", optionalDependencies: { native: "1.0.0", missing: "1.0.0" } },
    "node_modules/native": { version: "1.0.0", optional: true, os: ["linux"] },
    "node_modules/tool": { version: "1.0.0", dev: true },
  };

  test("keeps what is needed, in the version that Node would find", () => {
    expect(pruneLock(packages, ["a"])).toEqual({
      "node_modules/a": { version: "1.0.0", dependencies: { b: "^2.0.0" } },
      "node_modules/a/node_modules/b": packages["node_modules/a/node_modules/b"],
      "node_modules/native": packages["node_modules/native"],
    });
  });

  test("fails when one is not locked", () => {
    expect(() => pruneLock(packages, ["unknown"])).toThrow("the release needs unknown");
  });
});
