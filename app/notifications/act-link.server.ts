import { createHmac, timingSafeEqual } from "node:crypto";
import { type ActLink, type ActLinkHolder, LINK_ACTS } from "../domain/act-link.ts";

/** Characters. A token is far shorter. */
const MAX_TOKEN_LENGTH = 300;

/** Makes the token of a link: the allowed act in readable form, and a signature. `key`: see `ActLinkStore`. */
export function signActLink(key: string, { holder, issueId, act, expiresAt }: ActLink): string {
  const said = [toWord(holder), issueId, act, expiresAt].join(".");
  return `${said}.${signText(key, `act ${said}`)}`;
}

/** Null: the signature is missing or wrong. It does not check whether the link has expired. */
export function readActLink(key: string, token: string): ActLink | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const match = /^(c?)(\d{1,15})\.(\d{1,15})\.([a-z]+)\.(\d{1,15})\.([\w-]{43})$/.exec(token);
  const act = LINK_ACTS.find((each) => each === match?.[4]);
  if (match === null || act === undefined) return null;
  const [holderId, issueId, expiresAt] = [Number(match[2]), Number(match[3]), Number(match[5])];
  const holder = match[1] === "c" ? { channelId: holderId } : { userId: holderId };
  const said = token.slice(0, -44);
  return isSigned(key, `act ${said}`, match[6] ?? "") ? { holder, issueId, act, expiresAt } : null;
}

function toWord(holder: ActLinkHolder): string {
  return "channelId" in holder ? `c${holder.channelId}` : String(holder.userId);
}

/** Signs what an undo restores, so that the undo is valid for this link and for nothing else. */
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
