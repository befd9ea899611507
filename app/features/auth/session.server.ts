import { createHash } from "node:crypto";
import { createCookie, redirect } from "react-router";
import { sayRefusedByDisk } from "../../domain/full-disk.ts";
import { isDue, type ProviderSession } from "../../domain/people/provider-session.ts";
import type { ProxyIdentity } from "../../domain/people/proxy-identity.ts";
import { DAY_MS } from "../../domain/time.ts";
import { SESSION_MS, type User } from "../../domain/user.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { checkProxySession } from "../providers/check-proxy-session.server.ts";
import { renewProviderSession } from "../providers/renew-session.server.ts";
import { openRenewalToken, sealRenewalToken } from "./renewal-token.ts";

/** Sessions are extended at most once a day, so that reading pages seldom writes. */
const EXTEND_AFTER_MS = DAY_MS;

const sessionCookie = createCookie("culprit_session", {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: SESSION_MS / 1000,
});

/** The `Set-Cookie` header of a new session. The token itself is only in the cookie; the store has its hash. */
export function serializeSession(token: string, { isSecure }: { isSecure: boolean }): Promise<string> {
  return sessionCookie.serialize(token, { secure: isSecure });
}

/**
 * The person who sent the request, by the session cookie. Null: there is no valid session. `cookie`: the `Set-Cookie` header that
 * the answer must have because the session was extended, otherwise the browser would forget it on the old day; null: not needed.
 */
export async function getViewer(
  parts: { people: PeopleStore } & Parameters<typeof renewProviderSession>[0],
  {
    request,
    isSecure,
    proxyIdentity: identity,
    now,
  }: { request: Request; isSecure: boolean; proxyIdentity: ProxyIdentity | null; now: number },
): Promise<{ viewer: User | null; cookie: string | null }> {
  const token = await readToken(request);
  const tokenHash = token && hashToken(token);
  const { people } = parts;
  const session = tokenHash && (await people.getSession(tokenHash, now));
  if (!session) return { viewer: null, cookie: null };
  const { userId } = session;
  const provider = session.provider && {
    ...session.provider,
    renewalToken: openRenewalToken(session.provider.renewalToken, token),
  };
  if (provider?.kind === "proxy") {
    const asked = { tokenHash, userId, session: provider, identity, now };
    if (!(await checkProxySession(parts, asked))) return { viewer: null, cookie: null };
  } else if (provider) {
    const renewed = await renewProviderSession(parts, { token, tokenHash, userId, session: provider, now });
    if (!renewed || isDue(renewed, now, { isForm: isForm(request) })) return { viewer: null, cookie: null };
  }
  const isDueToExtend = provider === null && session.expiresAt - now < SESSION_MS - EXTEND_AFTER_MS;
  const isExtended = isDueToExtend && (await tryExtending(people, tokenHash, now));
  return {
    viewer: await people.getUser(userId),
    cookie: isExtended ? await sessionCookie.serialize(token, { secure: isSecure }) : null,
  };
}

/**
 * Whether the request's session can still be used: it is valid, and its provider does not have to be asked again in the browser. It
 * extends and renews nothing: an answer that has begun cannot set a cookie.
 */
export async function isSignedIn(
  people: Pick<PeopleStore, "getSession">,
  { request, now }: { request: Request; now: number },
): Promise<boolean> {
  const token = await readToken(request);
  const session = token === null ? null : await people.getSession(hashToken(token), now);
  return session !== null && (session.provider === null || !isDue(session.provider, now, { isForm: isForm(request) }));
}

function isForm({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** False: the disk accepts no write. Pages still work, and a later request extends the session. */
async function tryExtending(people: PeopleStore, tokenHash: string, now: number): Promise<boolean> {
  try {
    await people.extendSession(tokenHash, now + SESSION_MS);
    return true;
  } catch (error) {
    if (sayRefusedByDisk(error) !== null) return false;
    throw error;
  }
}

/** Adds a session's cookie to an answer. A shared cache, which may keep a page for everybody, must not keep this answer. */
export function carrySession(headers: Headers, cookie: string): void {
  headers.append("set-cookie", cookie);
  if (/\bpublic\b/.test(headers.get("cache-control") ?? "")) headers.set("cache-control", "private, no-cache");
}

/** The request's session if its provider has to be asked again in the browser. Null otherwise. */
async function findDueSession(
  people: Pick<PeopleStore, "getSession">,
  { request, now }: { request: Request; now: number },
): Promise<{ token: string; tokenHash: string; userId: number; provider: ProviderSession } | null> {
  const token = await readToken(request);
  const tokenHash = token && hashToken(token);
  const session = tokenHash ? await people.getSession(tokenHash, now) : null;
  if (!token || !tokenHash || !session?.provider || !isDue(session.provider, now, { isForm: false })) return null;
  return { token, tokenHash, userId: session.userId, provider: session.provider };
}

/** The id of the provider that has to confirm the person of the request's session. Null: there is no such session. */
export async function findDueProvider(
  people: Pick<PeopleStore, "getSession">,
  asked: { request: Request; now: number },
): Promise<number | null> {
  return (await findDueSession(people, asked))?.provider.id ?? null;
}

/** Continues a session whose provider was asked again, if person and provider are the same. Null: they are not. */
export async function continueSession(
  people: Pick<PeopleStore, "getSession" | "renewSession">,
  to: string,
  {
    request,
    now,
    userId,
    providerId,
    renewalToken,
  }: { request: Request; now: number; userId: number; providerId: number; renewalToken: string | null },
): Promise<Response | null> {
  const due = await findDueSession(people, { request, now });
  if (due === null || due.userId !== userId || due.provider.id !== providerId) return null;
  await people.renewSession(due.tokenHash, {
    checkedAt: now,
    renewedAt: now,
    renewalToken: sealRenewalToken(renewalToken, due.token),
  });
  return redirect(to);
}

/** Ends the request's session if its provider had to be asked again. */
export async function endDueSession(
  people: Pick<PeopleStore, "getSession" | "deleteSession">,
  request: Request,
): Promise<void> {
  const due = await findDueSession(people, { request, now: Date.now() });
  if (due) await people.deleteSession(due.tokenHash);
}

/** Whether an answer sets the session's cookie itself, because the session has begun or ended. */
export function setsSession(headers: Headers): boolean {
  return headers.getSetCookie().some((cookie) => cookie.startsWith(`${sessionCookie.name}=`));
}

/** Whether the request's session is valid as long as the operator's proxy names its person. */
export async function isProxySession(
  people: Pick<PeopleStore, "getSession">,
  { request, now }: { request: Request; now: number },
): Promise<boolean> {
  const token = await readToken(request);
  const session = token ? await people.getSession(hashToken(token), now) : null;
  return session?.provider?.kind === "proxy";
}

/** Ends the request's session, if any, and returns the `Set-Cookie` header that forgets it. */
export async function endSession(people: PeopleStore, request: Request): Promise<string> {
  const token = await readToken(request);
  if (token) await people.deleteSession(hashToken(token));
  return sessionCookie.serialize("", { maxAge: 0 });
}

/** The id of the request's own session, as in `PeopleStore.listSessions`. Null: it has none. */
export async function findSessionId(request: Request): Promise<string | null> {
  const token = await readToken(request);
  return token && hashToken(token).slice(0, 16);
}

/** Ends all sessions of the user except that of the request. */
export async function endOtherSessions(
  people: PeopleStore,
  { userId, request }: { userId: number; request: Request },
): Promise<void> {
  const token = await readToken(request);
  await people.deleteOtherSessions(userId, token ? hashToken(token) : "");
}

/** A key that all requests of a session share, for counting what it has open. Null: the request has no session. */
export async function readSessionKey(request: Request): Promise<string | null> {
  const token = await readToken(request);
  return token && hashToken(token);
}

async function readToken(request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie.parse(request.headers.get("cookie"));
  return isToken(value) ? value : null;
}

/** Whether a text can be a token: 32 random bytes in base64url, or 32 letters and digits, as better-auth makes them for sessions. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && /^(?:\w{32}|[\w-]{43})$/.test(value);
}

/** The hash of a token. A token has at least 190 random bits, so a plain hash is enough: it cannot be guessed. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
