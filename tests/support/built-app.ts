import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a bundler leaves: one minified script and its map. `seed` makes its content, and so its debug id, another. */
export function writeBuiltApp(folder: string, seed: string): string {
  const dist = join(folder, "dist", "assets");
  mkdirSync(dist, { recursive: true });
  writeFileSync(
    join(dist, "app.js"),
    `function a(){throw new Error("${seed}")}a();\n//# sourceMappingURL=app.js.map\n`,
  );
  const map = {
    version: 3,
    file: "app.js",
    sources: ["../../src/app.ts"],
    sourcesContent: [`function fail() {\n  throw new Error("${seed}");\n}\nfail();\n`],
    names: ["fail"],
    mappings: "AAAA,SAASA,IACP,MAAM,IAAI,MAAM,GAClB,CACAA",
  };
  writeFileSync(join(dist, "app.js.map"), JSON.stringify(map));
  return join(folder, "dist");
}

export interface Checkout {
  /** Hashes, the newest first. */
  commits(): string[];
  commit(message: string): void;
}

/** A checkout as a build runs in, with two commits that no other checkout has. */
export function makeCheckout(folder: string): Checkout {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann Author", "-c", "user.email=ann@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    });
  const checkout: Checkout = {
    commits: () => git("log", "--format=%H").trim().split("\n"),
    commit(message) {
      writeFileSync(join(folder, "code.ts"), `export const id = "${crypto.randomUUID()}";\n`);
      git("add", "code.ts");
      git("commit", "--quiet", "--message", message);
    },
  };
  git("init", "--quiet");
  git("remote", "add", "origin", "https://github.com/acme/shop.git");
  checkout.commit("first");
  checkout.commit("second");
  return checkout;
}
