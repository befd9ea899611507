import { expect, test } from "vitest";
import { parseSourceLinks } from "./parse-source-links.ts";
import { readDraft, toDraft } from "./source-link-draft.ts";

/** `rows`: pairs of roots, in the order of the form. */
function parse(fields: Record<string, string>, rows: ReadonlyArray<[stackRoot: string, sourceRoot: string]> = []) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [stackRoot, sourceRoot] of rows) {
    form.append("stackRoot", stackRoot);
    form.append("sourceRoot", sourceRoot);
  }
  return parseSourceLinks(readDraft(form));
}

const github = { host: "github", repositoryUrl: "https://github.com/acme/shop" };

test("no host is no links", () => {
  expect(parse({ host: "", repositoryUrl: "whatever" })).toEqual({ ok: true, links: null });
});

test("an address is taken as people copy it", () => {
  expect(
    parse({
      host: "github",
      repositoryUrl: " https://github.com/acme/shop.git/?tab=readme ",
    }),
  ).toEqual({
    ok: true,
    links: {
      host: "github",
      repositoryUrl: "https://github.com/acme/shop",
      template: null,
      defaultBranch: "main",
      codeMappings: [],
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

test("rows are kept in their order, without those that say nothing", () => {
  const parsed = parse(github, [
    [" /srv/app ", "/packages/web/"],
    ["", " "],
    ["C:\\app\\", "packages\\.\\api"],
    ["", "/"],
  ]);
  const codeMappings = [
    { stackRoot: "/srv/app", sourceRoot: "packages/web" },
    { stackRoot: "C:\\app\\", sourceRoot: "packages/api" },
    { stackRoot: "", sourceRoot: "" },
  ];
  expect(parsed).toMatchObject({ ok: true, links: { codeMappings } });
  // A row for any path at the root is kept when the form is saved again.
  if (!parsed.ok) throw new Error(parsed.error);
  expect(parseSourceLinks(toDraft(parsed.links))).toEqual(parsed);
});

test.each([
  [["src", "../other"], "sourceRoot:1"],
  [["src", "https://github.com/acme/shop"], "sourceRoot:1"],
  [["src", "a".repeat(501)], "sourceRoot:1"],
  [["a".repeat(501), "src"], "stackRoot:1"],
  [["/srv/app", "packages/api"], "stackRoot:1"],
] as const)("the row %j is refused for its %s", ([stackRoot, sourceRoot], field) => {
  expect(
    parse(github, [
      ["/srv/app", "packages/web"],
      [stackRoot, sourceRoot],
    ]),
  ).toMatchObject({ ok: false, field });
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
