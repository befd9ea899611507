import { createHmac, timingSafeEqual } from "node:crypto";
import { type ActLink, LINK_ACTS } from "../domain/act-link.ts";

/** Far longer than a token is. */
const MAX_TOKEN_LENGTH = 300;

/** The token of a link: what it allows, readable, and a signature. `key`: see `ActLinkStore`. */
export function signActLink(key: string, { userId, issueId, act, expiresAt }: ActLink): string {
  const said = [userId, issueId, act, expiresAt].join(".");
  return `${said}.${signText(key, `act ${said}`)}`;
}

/** Null: nobody signed it. Whether it is over is not asked. */
export function readActLink(key: string, token: string): ActLink | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const match = /^(\d{1,15})\.(\d{1,15})\.([a-z]+)\.(\d{1,15})\.([\w-]{43})$/.exec(token);
  const act = LINK_ACTS.find((each) => each === match?.[3]);
  if (match === null || act === undefined) return null;
  const [userId, issueId, expiresAt] = [Number(match[1]), Number(match[2]), Number(match[4])];
  const said = token.slice(0, -44);
  return isSigned(key, `act ${said}`, match[5] ?? "") ? { userId, issueId, act, expiresAt } : null;
}

/** Signs what an undo puts back, so that it belongs to this link and says nothing else. */
export function signUndo(key: string, token: string, undo: string): string {
  return signText(key, `undo ${token} ${undo}`);
}

export function isSignedUndo(key: string, token: string, { undo, signature }: { undo: string; signature: string }) {
  return isSigned(key, `undo ${token} ${undo}`, signature);
}

function signText(key: string, text: string): string {
  return createHmac("sha256", Buffer.from(key, "base64url")).update(text).digest("base64url");
}

function isSigned(key: string, text: string, signature: string): boolean {
  const wanted = Buffer.from(signText(key, text));
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
