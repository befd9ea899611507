import { createHash, randomBytes } from "node:crypto";
import { createCookie } from "react-router";
import { DAY_MS } from "../../domain/time.ts";
import { PROVIDER_SESSION_MS, SESSION_MS, type User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";

/** Sessions are extended at most once a day, so that reading a page seldom writes. */
const EXTEND_AFTER_MS = DAY_MS;

const sessionCookie = createCookie("culprit_session", {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: SESSION_MS / 1000,
});

/** Who begins a session, and with what. */
export interface NewSession {
  userId: number;
  request: Request;
  isSecure: boolean;
  now: number;
  /** Where the person signed in; absent: with a password here. */
  providerId?: number | null;
}

/** Makes a session and gives the `Set-Cookie` header. The token itself is only in the cookie; the store has its hash. */
export async function createSession(
  people: PeopleStore,
  { userId, request, isSecure, now, providerId = null }: NewSession,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await people.createSession({
    tokenHash: hashToken(token),
    userId,
    createdAt: now,
    expiresAt: now + (providerId === null ? SESSION_MS : PROVIDER_SESSION_MS),
    providerId,
    userAgent: request.headers.get("user-agent")?.slice(0, 256) ?? null,
  });
  // Where this browser reached the server: what links of messages begin with, when no address is configured.
  await people.saveSignInOrigin(new URL(request.url).origin);
  return sessionCookie.serialize(token, { secure: isSecure });
}

/**
 * Who sent the request, by its session cookie; null when there is no living session. `cookie`: the `Set-Cookie` header
 * that the answer must carry because the session was extended, or null: the browser would forget it on the old day.
 */
export async function getViewer(
  people: PeopleStore,
  { request, isSecure, now }: { request: Request; isSecure: boolean; now: number },
): Promise<{ viewer: User | null; cookie: string | null }> {
  const token = await readToken(request);
  const tokenHash = token && hashToken(token);
  const session = tokenHash && (await people.getSession(tokenHash, now));
  if (!session) return { viewer: null, cookie: null };
  const isToExtend = session.providerId === null && session.expiresAt - now < SESSION_MS - EXTEND_AFTER_MS;
  if (isToExtend) await people.extendSession(tokenHash, now + SESSION_MS);
  return {
    viewer: await people.getUser(session.userId),
    cookie: isToExtend ? await sessionCookie.serialize(token, { secure: isSecure }) : null,
  };
}

/** Whether an answer sets the session's cookie itself: it has been begun or ended. */
export function setsSession(headers: Headers): boolean {
  return headers.getSetCookie().some((cookie) => cookie.startsWith(`${sessionCookie.name}=`));
}

/** Ends the request's session, if any, and gives the `Set-Cookie` header that forgets it. */
export async function endSession(people: PeopleStore, request: Request): Promise<string> {
  const token = await readToken(request);
  if (token) await people.deleteSession(hashToken(token));
  return sessionCookie.serialize("", { maxAge: 0 });
}

/** The id of the request's own session, as `PeopleStore.listSessions` names it; null when it has none. */
export async function findSessionId(request: Request): Promise<string | null> {
  const token = await readToken(request);
  return token && hashToken(token).slice(0, 16);
}

/** Ends every session of the user but the request's own. */
export async function endOtherSessions(
  people: PeopleStore,
  { userId, request }: { userId: number; request: Request },
): Promise<void> {
  const token = await readToken(request);
  await people.deleteOtherSessions(userId, token ? hashToken(token) : "");
}

async function readToken(request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie.parse(request.headers.get("cookie"));
  return isToken(value) ? value : null;
}

/** Whether a cookie's value can be one of our tokens: 32 random bytes in base64url. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && value.length === 43;
}

/** A token has 256 random bits, so a plain hash is enough: there is nothing to guess. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
