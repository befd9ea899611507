import { RESET_MS } from "../../domain/people/invitation.ts";
import { hashToken } from "../auth/session.server.ts";
import { currentAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Match, Row, Rows } from "./rows.ts";

/** The prefix of better-auth's names of links for a new password. */
const RESET = "reset-password:";

/** Thrown if the link was used or has expired. */
export class LinkIsGone extends Error {
  constructor() {
    super("this link is used or over");
  }
}

/**
 * Links for a new password, stored by the hash of their token. They are made elsewhere. `remove` keeps the link: it ends with the change of
 * the password, and must work again if the queue for hashes is full.
 */
export function resetLinks({ links }: Pick<AuthParts, "links">): Rows {
  async function find({ id, identifier: name = id }: Match): Promise<Row[]> {
    const identifier = String(name);
    if (!identifier.startsWith(RESET)) return [];
    const { now } = currentAttempt();
    const reset = await links.findReset(hashToken(identifier.slice(RESET.length)), now);
    if (!reset) return [];
    const at = new Date(now);
    // The store returns only links that have not expired.
    const expiresAt = new Date(now + RESET_MS);
    return [{ id: identifier, identifier, value: String(reset.userId), expiresAt, createdAt: at, updatedAt: at }];
  }

  return { find, remove: find };
}
