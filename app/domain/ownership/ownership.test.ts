import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../event.ts";
import { importCodeowners, joinCodeowners } from "./import-codeowners.ts";
import { matchOwnership, readOwnedFacts } from "./match-ownership.ts";
import { createOwnerNames, findRuleAssignee } from "./owners.ts";
import { readOwnershipRules } from "./ownership-rules.ts";

function rulesOf(text: string) {
  const read = readOwnershipRules(text);
  if (!read.ok) throw new Error(read.problem.message);
  return read.rules;
}

const EVENT = {
  platform: "node",
  level: "error",
  environment: "production",
  request: { url: "https://shop.example.com/checkout?step=2" },
  tags: [["region", "eu"]],
  exception: {
    values: [
      {
        stacktrace: {
          frames: [
            { filename: "/srv/app/node_modules/express/router.js", in_app: false },
            { filename: "/srv/app/src/billing/charge.ts", module: "billing.charge", in_app: true },
          ],
        },
      },
    ],
  },
} as unknown as SentryEvent;
const MAPPINGS = [{ stackRoot: "/srv/app", sourceRoot: "server" }];

/** Lines of the rules that take the event, the one that decides first. */
function linesOf(text: string, mappings = MAPPINGS): number[] {
  return matchOwnership(rulesOf(text), readOwnedFacts(EVENT, mappings)).matches.map(({ line }) => line);
}

describe("rules", () => {
  test("have a matcher, a pattern and owners; comments and empty lines say nothing", () => {
    const rules = rulesOf('# Money\n\npath:"src/my files/*" #billing ada@example.com #billing\ntags.region:eu #europe');
    expect(rules.map(({ line, matcher, tag, owners }) => ({ line, matcher, tag, owners }))).toEqual([
      { line: 3, matcher: "path", tag: null, owners: ["#billing", "ada@example.com"] },
      { line: 4, matcher: "tag", tag: "region", owners: ["#europe"] },
    ]);
  });

  test.each([
    ["path:src/* #a\nsrc/* #b", 2, 1, "begins with path:"],
    ["path:src/*", 1, 11, "names no owner"],
    ["path: #a", 1, 6, "pattern is missing"],
    ["path:src/* billing", 1, 12, "“billing” is no owner"],
    [`path:${"a".repeat(301)} #a`, 1, 6, "at most 300"],
    ["path:a #a\n".repeat(201), 201, 1, "at most 200 rules"],
    [`path:a ${Array.from({ length: 21 }, (_, at) => `#t${at}`).join(" ")}`, 1, undefined, "at most 20 owners"],
  ])("what cannot be read is named by its line: %j", (text, line, column, message) => {
    const read = readOwnershipRules(text);
    expect(read).toMatchObject({
      ok: false,
      problem: { line, ...(column && { column }), message: expect.stringContaining(message) },
    });
  });
});

describe("matching", () => {
  test("looks at files, modules, the address and tags; the last rule decides", () => {
    const text = [
      "path:*/billing/* #a",
      "module:billing.* #b",
      "url:https://shop.example.com/checkout* #c",
      "tags.region:eu #d",
      "tags.environment:production #e",
      "tags.region:us #f",
      "path:src/other/* #g",
      "module:billing #h",
    ].join("\n");
    expect(linesOf(text)).toEqual([5, 4, 3, 2, 1]);
  });

  test("files are also found by their path in the repository", () => {
    expect(linesOf("path:server/src/billing/* #a")).toEqual([1]);
    expect(linesOf("path:server/src/billing/* #a", [])).toEqual([]);
  });

  test.each([
    ["/server/src/billing/", true],
    ["/server/src/billing", true],
    ["server/src", true],
    ["billing/", true],
    ["*.ts", true],
    ["*", true],
    ["server/**/charge.ts", true],
    ["server/src/billing/*", true],
    ["server/*", false],
    ["/src/billing/", false],
    ["src/billing/", false],
    ["*.js", false],
    ["bill", false],
  ])("codeowners:%s counts from the root where it has a slash, in-app frames alone", (pattern, isTaken) => {
    expect(linesOf(`codeowners:${pattern} #a`)).toEqual(isTaken ? [1] : []);
  });

  test("has a bound", () => {
    const facts = readOwnedFacts(EVENT, MAPPINGS);
    const rules = rulesOf("tags.region:eu #a\npath:*a*b*c*d*e*f* #b");
    expect(matchOwnership(rules, facts, 50)).toMatchObject({ isCut: true, matches: [] });
    expect(matchOwnership(rules, facts)).toMatchObject({ isCut: false, matches: [{ line: 1 }] });
  });
});

test("the first owner who sees the project gets the issue", () => {
  const ada = { kind: "user", id: 1, name: "Ada" } as const;
  const billing = { kind: "team", id: 7, slug: "billing", name: "Billing" } as const;
  const nameOwner = createOwnerNames({
    assignees: [ada, billing],
    members: [
      { userId: 1, email: "Ada@example.com" },
      { userId: 2, email: "grace@example.com" },
    ],
    teams: [{ slug: "billing" }, { slug: "mobile" }],
  });
  expect(
    ["#billing", "#mobile", "#gone", "ADA@example.com", "grace@example.com", "x@y.z"].map(
      (owner) => nameOwner(owner).state,
    ),
  ).toEqual(["found", "unseeing", "unknown", "found", "unseeing", "unknown"]);
  expect(findRuleAssignee({ owners: ["grace@example.com", "#billing", "ada@example.com"] }, nameOwner)).toBe(billing);
  expect(findRuleAssignee({ owners: ["#gone"] }, nameOwner)).toBeNull();
});

describe("CODEOWNERS", () => {
  const FILE = [
    "# Owners",
    "*       @acme/web # everything",
    "/src/billing/ @acme/platform/billing ada@example.com @ada",
    "docs/my\\ notes/ ada@example.com",
    "/src/generated/",
    "*.sql @ada",
    "[Documentation] @docs",
    "!/src/a @acme/web",
  ].join("\r\n");

  test("becomes rules; what has no meaning here is named by its line", () => {
    const { lines, passedOver } = importCodeowners(FILE);
    expect(lines).toEqual([
      "codeowners:* #web",
      "codeowners:/src/billing/ #billing ada@example.com",
      'codeowners:"docs/my notes/" ada@example.com',
      "codeowners:/src/generated/",
    ]);
    expect(passedOver.map(({ line }) => line)).toEqual([3, 6, 7, 8]);
    expect(rulesOf(lines.join("\n"))).toHaveLength(4);
  });

  test("takes the place of an earlier import, ahead of one's own rules", () => {
    expect(joinCodeowners("codeowners:/old #a\n# Mine\npath:a #b", ["codeowners:* #web"])).toBe(
      "codeowners:* #web\n# Mine\npath:a #b",
    );
  });
});
