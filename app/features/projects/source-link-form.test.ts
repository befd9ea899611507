import { expect, test } from "vitest";
import { parseSourceLinkForm } from "./source-link-form.ts";

function parse(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseSourceLinkForm(form);
}

test("no host is no links", () => {
  expect(parse({ host: "", repositoryUrl: "whatever" })).toEqual({ ok: true, links: null });
});

test("an address is taken as people copy it", () => {
  expect(
    parse({
      host: "github",
      repositoryUrl: " https://github.com/acme/shop.git/?tab=readme ",
      sourceRoot: "/packages/web/",
    }),
  ).toEqual({
    ok: true,
    links: {
      host: "github",
      repositoryUrl: "https://github.com/acme/shop",
      template: null,
      defaultBranch: "main",
      stripPrefix: "",
      sourceRoot: "packages/web",
    },
  });
});

test("a template of one's own needs no repository", () => {
  const template = "https://code.example/shop/{revision}/{path}#{line}";
  expect(parse({ host: "other", template, defaultBranch: "trunk" })).toMatchObject({
    ok: true,
    links: { host: "other", repositoryUrl: null, template, defaultBranch: "trunk" },
  });
});

test.each([
  [{ host: "svn" }, "host"],
  [{ host: "github" }, "repositoryUrl"],
  [{ host: "github", repositoryUrl: "acme/shop" }, "repositoryUrl"],
  [{ host: "github", repositoryUrl: "javascript:alert(1)" }, "repositoryUrl"],
  [{ host: "github", repositoryUrl: "https://github.com/" }, "repositoryUrl"],
  [{ host: "github", repositoryUrl: "https://me:secret@github.com/acme/shop" }, "repositoryUrl"],
  [{ host: "github", repositoryUrl: `https://github.com/${"a".repeat(500)}` }, "repositoryUrl"],
  [{ host: "other", template: "" }, "template"],
  [{ host: "other", template: "https://code.example/{line}" }, "template"],
  [{ host: "other", template: "https://code.example/{path}/{branch}" }, "template"],
  [{ host: "other", template: "https://{path}/" }, "template"],
  [{ host: "other", template: "javascript:{path}" }, "template"],
] as const)("%j is refused for its %s", (fields, field) => {
  expect(parse(fields)).toMatchObject({ ok: false, field });
});
