import { randomBytes } from "node:crypto";
import { createCookie } from "react-router";
import { DAY_MS } from "../../domain/time.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { hashToken, isToken } from "./session.server.ts";

/** Browsers keep no cookie for longer (RFC 6265bis). */
const KNOWN_MS = 400 * DAY_MS;

const browserCookie = createCookie("culprit_browser", {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: KNOWN_MS / 1000,
});

/** The hash of the token by which the account knows the browser. Null: the account does not know the browser. */
export async function findKnownBrowser(
  people: Pick<PeopleStore, "isKnownBrowser">,
  { userId, request, now }: { userId: number; request: Request; now: number },
): Promise<string | null> {
  const token = await readToken(request);
  const tokenHash = token && hashToken(token);
  return tokenHash && (await people.isKnownBrowser({ tokenHash, userId, now })) ? tokenHash : null;
}

/**
 * Remembers that the user has signed in with the browser, and returns the `Set-Cookie` header. A token that the account already
 * knows is kept. Any other is replaced, because somebody else could have set it.
 */
export async function rememberBrowser(
  people: PeopleStore,
  { userId, request, isSecure, now }: { userId: number; request: Request; isSecure: boolean; now: number },
): Promise<string> {
  const known = await findKnownBrowser(people, { userId, request, now });
  const token = (known && (await readToken(request))) ?? randomBytes(32).toString("base64url");
  await people.rememberBrowser({ tokenHash: hashToken(token), userId, expiresAt: now + KNOWN_MS });
  return browserCookie.serialize(token, { secure: isSecure });
}

/** Forgets all browsers of the user except that of the request. */
export async function forgetOtherBrowsers(
  people: PeopleStore,
  { userId, request }: { userId: number; request: Request },
): Promise<void> {
  const token = await readToken(request);
  await people.forgetOtherBrowsers(userId, token ? hashToken(token) : "");
}

async function readToken(request: Request): Promise<string | null> {
  const value: unknown = await browserCookie.parse(request.headers.get("cookie"));
  return isToken(value) ? value : null;
}
