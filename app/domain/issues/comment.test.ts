import { expect, test } from "vitest";
import { findMentions, MAX_MENTIONS, type Mentionable } from "./comment.ts";

const PEOPLE: Mentionable[] = [
  { kind: "user", id: 1, names: ["Grace", "grace.m@example.com", "grace.m"] },
  { kind: "user", id: 2, names: ["Grace Hopper", "grace@example.com", "grace"] },
  { kind: "team", id: 7, names: ["shop"] },
];
const mentioned = (text: string) => findMentions(text, PEOPLE).map(({ kind, id }) => `${kind}:${id}`);

test("people are mentioned by name, address or its first part, and the longest name counts", () => {
  expect(mentioned("@Grace Hopper, please look")).toEqual(["user:2"]);
  expect(mentioned("(@grace.m@example.com)")).toEqual(["user:1"]);
  expect(mentioned("ask @grace.m and @GRACE@example.com!")).toEqual(["user:1", "user:2"]);
  expect(mentioned("@graceful")).toEqual([]);
});

test("teams are mentioned by both signs, and each once", () => {
  expect(mentioned("#shop @shop #shop")).toEqual(["team:7"]);
  expect(mentioned("#Grace")).toEqual([]);
});

test("addresses and code mention nobody", () => {
  expect(mentioned("me@shop.example `@grace.m` and\n```\n@shop\n```")).toEqual([]);
});

test("a comment tells at most so many", () => {
  const many = Array.from({ length: 50 }, (_, id): Mentionable => ({ kind: "user", id, names: [`p${id}`] }));
  expect(findMentions(many.map(({ names }) => `@${names[0]}`).join(" "), many)).toHaveLength(MAX_MENTIONS);
});
