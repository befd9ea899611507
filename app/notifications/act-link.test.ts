import { expect, test } from "vitest";
import { NOON } from "../stores/state/contract/fixture.ts";
import { isSignedUndo, readActLink, signActLink, signUndo } from "./act-link.server.ts";

const KEY = Buffer.alloc(32, 1).toString("base64url");
const LINK = { holder: { userId: 3 }, issueId: 17, act: "resolve", expiresAt: NOON } as const;

test("a token says what was signed, and nothing else", () => {
  const token = signActLink(KEY, LINK);
  expect(readActLink(KEY, token)).toEqual(LINK);
  const ofChannel = signActLink(KEY, { ...LINK, holder: { channelId: 3 } });
  expect(readActLink(KEY, ofChannel)).toEqual({ ...LINK, holder: { channelId: 3 } });
  expect(readActLink(KEY, ofChannel.slice(1))).toBeNull();
  expect(readActLink(Buffer.alloc(32, 2).toString("base64url"), token)).toBeNull();
  for (const wrong of [
    token.replace(/^3\./, "4."),
    `c${token}`,
    token.replace(".17.", ".18."),
    token.replace("resolve", "assign"),
    token.replace("resolve", "delete"),
    token.replace(String(NOON), String(NOON + 1)),
    token.slice(0, -1),
    `${token}x`,
    "",
    "x".repeat(400),
  ])
    expect(readActLink(KEY, wrong), wrong).toBeNull();
});

test("an undo belongs to its link", () => {
  const token = signActLink(KEY, LINK);
  const signature = signUndo(KEY, token, "17:unresolved");
  expect(isSignedUndo(KEY, token, { undo: "17:unresolved", signature })).toBe(true);
  expect(isSignedUndo(KEY, token, { undo: "18:unresolved", signature })).toBe(false);
  expect(isSignedUndo(KEY, `${token}x`, { undo: "17:unresolved", signature })).toBe(false);
  expect(isSignedUndo(KEY, token, { undo: "17:unresolved", signature: "" })).toBe(false);
});
