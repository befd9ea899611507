import { z } from "zod";
import { MINUTE_MS } from "../../domain/time.ts";
import { createSealedCookie } from "../auth/sealed-cookie.server.ts";
import { currentAttempt } from "./attempt.server.ts";

/** What better-auth has to find again in the next step of a sign-in. */
export interface Verification {
  id: string;
  identifier: string;
  value: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

const KEPT_MS = 10 * MINUTE_MS;
/** Steps that were used, until they are over. Each took an answer of a browser, which has limits. */
const MAX_USED = 10_000;

const cookie = createSealedCookie(
  "culprit_step",
  z.object({ identifier: z.string(), value: z.string(), expiresAt: z.number() }),
  { maxAgeMs: KEPT_MS },
);

const used = new Map<string, number>();

/** Gives it to the browser, sealed. So the server keeps nothing for strangers, and a step is of use in the browser that began it. */
export async function keepInBrowser(verification: Verification): Promise<void> {
  const { setCookies, isSecure, now } = currentAttempt();
  const { identifier, value, expiresAt } = verification;
  setCookies.push(await cookie.seal({ identifier, value, expiresAt: expiresAt.getTime() }, { isSecure, now }));
}

/** Null: the browser brings none of this name, or it is over or used. */
export async function findInBrowser(identifier: string): Promise<Verification | null> {
  const { request, now } = currentAttempt();
  const kept = await cookie.open(request, now);
  if (kept === null || kept.identifier !== identifier || used.has(identifier)) return null;
  const at = new Date(now);
  return { id: identifier, ...kept, expiresAt: new Date(kept.expiresAt), createdAt: at, updatedAt: at };
}

/** As `findInBrowser`, once. */
export async function takeFromBrowser(identifier: string): Promise<Verification | null> {
  const found = await findInBrowser(identifier);
  if (found === null) return null;
  const { setCookies, now } = currentAttempt();
  for (const [known, until] of used) {
    if (until > now && used.size < MAX_USED) break;
    used.delete(known);
  }
  used.set(identifier, now + KEPT_MS);
  setCookies.push(await cookie.forget());
  return found;
}
