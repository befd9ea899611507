import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signIn } from "../support/browse.ts";
import { provideCheckedServer } from "../support/provide-checked-server.ts";
import { findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const cli = provideCheckedServer({ scopes: ["org:ci"] });

describe.runIf(findSentryCli("3.x") !== null)("sentry-cli 3.x code-mappings upload", () => {
  /** A file of so many mappings, sent for the repository. */
  async function upload(count: number, repository: string) {
    using folder = makeTempFolder();
    const file = join(folder.path, "mappings.json");
    const mappings = Array.from({ length: count }, (_, index) => ({
      stackRoot: `com/acme/m${index}`,
      sourceRoot: "src",
    }));
    writeFileSync(file, JSON.stringify(mappings));
    return await runSentryCli(
      "3.x",
      ["code-mappings", "upload", file, "--repo", repository, "--default-branch", "trunk"],
      {
        url: cli.proxy.url,
        token: cli.token,
      },
    );
  }

  test("says why nothing can be mapped before the project has a repository, and maps once it has", async () => {
    const early = await upload(1, "acme/shop");
    expect(early.code).not.toBe(0);
    expect(early.output).toContain("The project has no repository yet.");

    const visitor = await signIn(cli.server);
    await visitor.post("/projects/shop/settings", {
      intent: "source-links",
      host: "gitlab",
      repositoryUrl: "https://gitlab.com/acme/shop",
    });
    const other = await upload(1, "acme/other");
    expect(other.output).toContain("not acme/other.");
    expect(other.code).not.toBe(0);

    const first = await upload(2, "acme/shop");
    expect(first.output).toContain("Created: 2, Updated: 0, Errors: 0");
    expect(first.code).toBe(0);
    const second = await upload(3, "acme/shop");
    expect(second.output).toContain("Created: 1, Updated: 2, Errors: 0");
    const { html } = await visitor.open("/projects/shop/settings");
    expect(html.match(/name="stackRoot"[^>]*/g)).toHaveLength(3);
    expect(html).toContain('value="trunk"');
  });

  test("sends a long file in parts", async () => {
    const { output } = await upload(301, "acme/shop");
    expect(output).toContain("Sending batch 2/2");
    expect(output).toContain("A project has at most 300 mappings.");
  });
});
