import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkCommand, listSetUpSnippets } from "./set-up-snippets.ts";

test("each tool's snippet has the project's values, and strings that survive any of them", () => {
  const snippets = listSetUpSnippets({ serverUrl: "https://errors.example", org: "acme", project: 'we"b' });
  expect(snippets.map(({ id }) => id)).toEqual([
    "sentry-cli",
    "vite",
    "webpack",
    "esbuild",
    "react-router",
    "nextjs",
    "nuxt",
    "sveltekit",
    "astro",
    "android",
  ]);
  for (const { id, files } of snippets) {
    const code = files.map((file) => file.code).join("\n");
    const named: Record<string, string> = {
      "sentry-cli": `--project 'we"b'`,
      android: 'projectName.set("we\\"b")',
    };
    expect(code).toContain(named[id] ?? 'project: "we\\"b"');
  }
});

test("the check that the docs show is the one of the page", () => {
  const docs = readFileSync(new URL("../../../docs/web-api.md", import.meta.url), "utf8");
  const context = { serverUrl: "https://culprit.example.com", org: "default", project: "shop" };
  expect(docs).toContain(checkCommand(context, "./dist"));
});
