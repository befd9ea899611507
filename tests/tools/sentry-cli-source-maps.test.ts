import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { getJson } from "../support/api.ts";
import { writeBuiltApp } from "../support/built-app.ts";
import { makeToken } from "../support/make-token.ts";
import { provideCheckedServer } from "../support/provide-checked-server.ts";
import { CLI_VERSIONS, findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

interface ReleaseFile {
  name: string;
  dist: string | null;
  headers: Record<string, string>;
  size: number;
}

/** The token is of the organization, as a build has it. */
const cli = provideCheckedServer({ scopes: ["org:ci"] });

describe.each(CLI_VERSIONS)("sentry-cli %s", (version) => {
  if (findSentryCli(version) === null) test.skip("npm has none for this platform", () => {});

  describe.runIf(findSentryCli(version) !== null)("source maps", () => {
    const run = (...args: string[]) => runSentryCli(version, args, { url: cli.proxy.url, token: cli.token });

    async function injected(folder: string, seed: string): Promise<{ dist: string; debugId: string }> {
      const dist = writeBuiltApp(folder, `${version} ${seed}`);
      const { code, output } = await run("sourcemaps", "inject", dist);
      expect(code, output).toBe(0);
      const debugId = /debugId=([0-9a-f-]{36})/.exec(readFileSync(join(dist, "assets", "app.js"), "utf8"))?.[1] ?? "";
      return { dist, debugId };
    }

    test("are uploaded without a release, once", async () => {
      using folder = makeTempFolder();
      const { dist, debugId } = await injected(folder.path, "without a release");
      expect(debugId).not.toBe("");
      const first = await run("sourcemaps", "upload", dist);
      expect(first.output).toContain("File processing complete");
      expect(first.output).toContain(debugId);
      expect(first.code).toBe(0);

      const before = cli.proxy.exchanges.length;
      const again = await run("sourcemaps", "upload", dist);
      expect(again.code, again.output).toBe(0);
      expect(again.output).toContain("Nothing to upload, all files are on the server");
      expect(cli.proxy.exchanges.slice(before).filter(({ url }) => url.endsWith("/chunk-upload/"))).toMatchObject([
        { method: "GET" },
      ]);
    });

    test("are uploaded for a release and dist, and found by their URLs", async () => {
      using folder = makeTempFolder();
      const { dist, debugId } = await injected(folder.path, "with a release");
      const release = `shop@${version.replace("x", "0")}.1+2`;
      const { code, output } = await run("sourcemaps", "upload", "--release", release, "--dist", "a", dist);
      expect(code, output).toBe(0);
      const path = `/projects/default/shop/releases/${encodeURIComponent(release)}/`;
      expect(await getJson(cli.server, path)).toMatchObject({ version: release, projects: [{ slug: "shop" }] });
      const files = await getJson<ReleaseFile[]>(cli.server, `${path}files/`);
      expect(files.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
        {
          name: "~/assets/app.js",
          dist: "a",
          headers: { Sourcemap: "app.js.map", "debug-id": debugId.replaceAll("-", "") },
        },
        { name: "~/assets/app.js.map", dist: "a", headers: { "debug-id": debugId.replaceAll("-", "") } },
      ]);
    });

    test("are uploaded to their end after the connection broke in the middle", async () => {
      using folder = makeTempFolder();
      const { dist } = await injected(folder.path, "broken off");
      const before = cli.proxy.exchanges.length;
      cli.proxy.breakUploads(2);
      const { code, output } = await run("sourcemaps", "upload", "--release", `broken-${version}`, dist);
      cli.proxy.breakUploads(0);
      expect(code, output).toBe(0);
      // Those that broke have no answer from the server.
      expect(
        cli.proxy.exchanges
          .slice(before)
          .filter(({ method, url }) => method === "POST" && url.endsWith("/chunk-upload/")),
      ).toMatchObject([{ status: 200 }]);
      expect(
        await getJson<ReleaseFile[]>(cli.server, `/organizations/default/releases/broken-${version}/files/`),
      ).toHaveLength(2);
    });

    test("waits until they are processed, when told to", async () => {
      using folder = makeTempFolder();
      const { dist } = await injected(folder.path, "waiting");
      const { code, output } = await run("sourcemaps", "upload", "--wait", dist);
      expect(code, output).toBe(0);
    });

    test("says which scope is missing, and that a token is wrong", async () => {
      using folder = makeTempFolder();
      const dist = writeBuiltApp(folder.path, `${version} refused`);
      const reader = await makeToken(
        { ...cli.server, url: cli.proxy.url },
        { kind: "personal", scopes: ["event:read"] },
      );
      const refused = await runSentryCli(version, ["sourcemaps", "upload", dist], {
        url: cli.proxy.url,
        token: reader,
      });
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain("needs the scope project:releases; this token has event:read.");
      expect(refused.output).toContain("403");
      const wrong = await runSentryCli(version, ["sourcemaps", "upload", dist], {
        url: cli.proxy.url,
        token: `sntryu_${"0".repeat(64)}`,
      });
      expect(wrong.code).not.toBe(0);
      expect(wrong.output).toContain("Invalid token");
      expect(wrong.output).toContain("401");
    });

    test("a project that does not exist is named", async () => {
      using folder = makeTempFolder();
      const { dist } = await injected(folder.path, "nowhere");
      const { code, output } = await run("sourcemaps", "upload", "--project", "nowhere", dist);
      expect(code).not.toBe(0);
      expect(output).toContain('there is no project "nowhere"');
    });

    test("native debug files are refused with a reason", async () => {
      const binary = findSentryCli(version) ?? "";
      expect(statSync(binary).size).toBeGreaterThan(1_000_000);
      const { code, output } = await run("debug-files", "upload", binary);
      expect(code).not.toBe(0);
      expect(output).toContain("not supported by this version of Culprit");
    });
  });
});

test("the token is all that a build needs: it carries the address and the organization", async () => {
  const version = CLI_VERSIONS.find((each) => findSentryCli(each) !== null);
  if (!version) return;
  const { code, output } = await runSentryCli(version, ["releases", "new", "by-token-alone"], {
    url: cli.proxy.url,
    token: cli.token,
    env: { SENTRY_URL: undefined, SENTRY_ORG: undefined },
  });
  expect(code, output).toBe(0);
  expect(cli.proxy.exchanges.at(-1)).toMatchObject({ url: expect.stringContaining("default"), status: 201 });
});
