import { createHash, timingSafeEqual } from "node:crypto";
import type { Entrance } from "../access/enter.server.ts";
import { API_SCOPES, allowsScope } from "../domain/api-token.ts";
import type { User } from "../domain/user.ts";
import { hashApiToken } from "../features/auth/api-token.server.ts";
import { refuseAway } from "../features/providers/refuse-away.server.ts";
import { refusal } from "./answers.ts";
import type { ApiCaller } from "./api-caller.ts";
import type { Endpoint } from "./endpoint.ts";

/** The longest possible token. A longer text is refused without being hashed. Characters. */
const MAX_TOKEN_LENGTH = 4096;

/** Finds the caller by a token, by the operator's token, or by the session of a signed-in person. @throws a 401 answer. */
export async function requireApiCaller(
  entrance: Entrance,
  {
    request,
    viewer,
    clientAddress,
    now,
  }: { request: Request; viewer: User | null; clientAddress: string | null; now: number },
): Promise<ApiCaller> {
  const header = request.headers.get("authorization");
  if (header === null) {
    if (viewer) return { kind: "session", user: viewer, scopes: API_SCOPES, tokenName: null, tokenId: null };
    throw refusal(401, "Authentication credentials were not provided.");
  }
  const secret = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (!secret) throw refusal(401, "The Authorization header must be: Bearer <token>");
  const { apiToken } = entrance.settings;
  if (apiToken !== null && isSameSecret(secret, apiToken)) {
    const user = await entrance.people.getOwner();
    if (user) return { kind: "operator", user, scopes: API_SCOPES, tokenName: null, tokenId: null };
  }
  const caller = secret.length > MAX_TOKEN_LENGTH ? null : await findCaller(entrance, { secret, clientAddress, now });
  if (!caller) throw refusal(401, "Invalid token");
  return caller;
}

/** @throws a 401 answer with the reason, if the token is right but does not work any more. */
async function findCaller(
  { tokens, people, providerSignIns }: Entrance,
  { secret, clientAddress, now }: { secret: string; clientAddress: string | null; now: number },
): Promise<ApiCaller | null> {
  const token = await tokens.findToken(hashApiToken(secret));
  if (!token) return null;
  const at = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 10);
  if (token.revokedAt !== null)
    throw refusal(401, `Invalid token: “${token.name}” was revoked on ${at(token.revokedAt)}. Make a new one.`);
  if (token.expiresAt !== null && token.expiresAt <= now)
    throw refusal(401, `Invalid token: “${token.name}” expired on ${at(token.expiresAt)}. Make a new one.`);
  const user = token.kind === "personal" ? await people.getUser(token.userId) : null;
  if (token.kind === "personal" && !user) return null;
  const away = user && (await refuseAway({ people, providerSignIns }, user, now));
  if (away !== null) throw refusal(401, `Invalid token: ${away}`);
  await tokens.noteTokenUse(token.id, now, clientAddress);
  return { kind: token.kind, user, scopes: token.scopes, tokenName: token.name, tokenId: token.id };
}

/** @throws a 403 answer that names the scopes that are needed and those of the caller. */
export function requireScope(
  caller: ApiCaller,
  { method, path, scopes }: Pick<Endpoint, "method" | "path" | "scopes">,
): void {
  if (scopes === "public" || scopes === "any-token" || allowsScope(caller.scopes, scopes)) return;
  if (scopes.length === 0) throw refusal(403, `${method} ${path} is closed: it declares no scope.`);
  const needed = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(", ")}`;
  const granted = caller.scopes.length === 0 ? "no scope" : caller.scopes.join(", ");
  throw refusal(403, `${method} ${path} needs ${needed}; this token has ${granted}.`);
}

/** Compares the hashes of two secrets. The time that it takes reveals neither their content nor their length. */
function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
