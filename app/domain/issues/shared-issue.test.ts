import { expect, test } from "vitest";
import type { Issue } from "../issue.ts";
import { maskText, toSharedIssue } from "./shared-issue.ts";

test.each([
  ["User bob@example.com was not found", "User … was not found"],
  ["connect ECONNREFUSED 10.0.0.7:5432", "connect ECONNREFUSED …:…"],
  ["no route to fe80::1ff:fe23:4567:890a", "no route to …"],
  ["GET https://api.example.com/users/7?token=abc failed", "GET … failed"],
  ["invalid value 'Ada Lovelace' for name", "invalid value '…' for name"],
  ['duplicate key "42"', 'duplicate key "…"'],
  ["order 4f2a9c11-aa10 of card 4111111111111111", "order … of card …"],
  ["status 404 after 30 s", "status 404 after 30 s"],
])("of the message %j strangers see %j", (text, seen) => expect(maskText(text)).toBe(seen));

test("strangers see in-app frames without variables and source, and nothing of users and requests", () => {
  const issue = {
    shortId: "SHOP-1",
    title: "TypeError: bob@example.com",
    type: "TypeError",
    value: "bob@example.com",
    culprit: "POST /users/bob",
    level: "error",
    status: "unresolved",
    platform: "node",
    firstSeenAt: 1,
    lastSeenAt: 2,
    eventCount: 3,
    assignee: { kind: "user", id: 1, name: "HUSH" },
  } as unknown as Issue;
  const frame = { function: "run", lineno: 4, context_line: "HUSH", vars: { HUSH: 1 }, pre_context: ["HUSH"] };
  const shared = toSharedIssue(issue, {
    user: { email: "HUSH" },
    request: { url: "HUSH", data: "HUSH" },
    breadcrumbs: { values: [{ message: "HUSH" }] },
    tags: [["HUSH", "HUSH"]],
    exception: {
      values: [
        {
          type: "TypeError",
          value: "bob@example.com is missing\nHUSH",
          stacktrace: {
            frames: [
              { ...frame, filename: "https://hush.example/app/a.js?HUSH", in_app: true },
              { ...frame, filename: "node_modules/HUSH.js", in_app: false },
              { ...frame, filename: "/home/HUSH/app/b.ts", in_app: true },
            ],
          },
        },
      ],
    },
  } as never);
  expect(JSON.stringify(shared)).not.toMatch(/HUSH|bob|hush/);
  expect(shared.stacks).toEqual([
    {
      type: "TypeError",
      message: "… is missing",
      relation: null,
      otherFrameCount: 1,
      frames: [
        { function: "run", place: "/home/…/app/b.ts", line: 4 },
        { function: "run", place: "/app/a.js", line: 4 },
      ],
    },
  ]);
});

test("members of a group are told from causes", () => {
  const mechanism = (id: number, parent: number | undefined, source?: string) => ({
    exception_id: id,
    ...(parent !== undefined && { parent_id: parent }),
    ...(source !== undefined && { source }),
  });
  const values = [
    { type: "Cause", mechanism: mechanism(2, 1) },
    { type: "Member", mechanism: mechanism(1, 0, "errors[0]") },
    { type: "Group", mechanism: { ...mechanism(0, undefined), is_exception_group: true } },
  ];
  const { stacks } = toSharedIssue({ type: "Group", title: "Group" } as Issue, { exception: { values } } as never);
  expect(stacks.map(({ type, relation }) => [type, relation])).toEqual([
    ["Group", null],
    ["Member", "member"],
    ["Cause", "cause"],
  ]);
});
