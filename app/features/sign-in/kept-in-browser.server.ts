import { z } from "zod";
import { MINUTE_MS } from "../../domain/time.ts";
import { createSealedCookie } from "../auth/sealed-cookie.server.ts";
import { currentAttempt } from "./attempt.server.ts";
import type { Match, Rows } from "./rows.ts";
import { UsedSteps } from "./used-steps.ts";

/** Long enough to find a phone or a key. */
export const KEPT_MS = 10 * MINUTE_MS;
/** The most used steps that are remembered. Each takes some 150 bytes. */
const MAX_USED = 10_000;

/**
 * Rows of better-auth for the next step of a sign-in, sealed in a cookie. So the server stores nothing for strangers, and a step works
 * once, in the browser that began it. A step replaces only one with the same cookie name.
 * @param name of the cookie
 */
export function keepInBrowser(
  name: string,
  { maxUsed = MAX_USED } = {},
): Required<Pick<Rows, "create" | "find" | "remove">> {
  const cookie = createSealedCookie(
    name,
    z.object({ identifier: z.string(), value: z.string(), expiresAt: z.number(), keptAt: z.number() }),
    { maxAgeMs: KEPT_MS },
  );
  const used = new UsedSteps({ maxSteps: maxUsed, keptMs: KEPT_MS });

  /** Null: the browser has no matching step, or it has expired or was used. */
  async function read({ id, identifier = id }: Match) {
    const { request, now } = currentAttempt();
    const kept = await cookie.open(request, now);
    return kept === null || (identifier !== undefined && kept.identifier !== identifier) || used.has(kept)
      ? null
      : kept;
  }

  return {
    async create(row) {
      const { identifier, value, expiresAt } = row as { identifier: string; value: string; expiresAt: Date };
      const { setCookies, isSecure, now } = currentAttempt();
      const kept = { identifier, value, expiresAt: expiresAt.getTime(), keptAt: now };
      setCookies.push(await cookie.seal(kept, { isSecure, now }));
      return { ...row, id: identifier };
    },
    async find(match) {
      const kept = await read(match);
      return kept === null ? [] : [toRow(kept)];
    },
    async remove(match) {
      const kept = await read(match);
      const { setCookies, now } = currentAttempt();
      // Two parallel requests may both have read it as unused.
      if (kept === null || !used.take(kept, now)) return [];
      setCookies.push(await cookie.forget());
      return [toRow(kept)];
    },
  };
}

function toRow(kept: { identifier: string; value: string; expiresAt: number; keptAt: number }) {
  const { identifier, value, expiresAt, keptAt } = kept;
  const at = new Date(keptAt);
  return { id: identifier, identifier, value, expiresAt: new Date(expiresAt), createdAt: at, updatedAt: at };
}
