import { RESET_MS } from "../../domain/people/invitation.ts";
import { hashToken } from "../auth/session.server.ts";
import { currentAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Match, Row, Rows } from "./rows.ts";

/** How better-auth begins the name of a link for a new password. */
const RESET = "reset-password:";

/** Thrown where the link by which somebody came is used or over. */
export class LinkIsGone extends Error {
  constructor() {
    super("this link is used or over");
  }
}

/**
 * Links for a new password: in the store, by the hash of their token. They are made elsewhere. One is not removed when it is taken: it ends
 * with the change of the password, and until then it works, should the queue for hashes be full.
 */
export function resetLinks({ links }: Pick<AuthParts, "links">): Rows {
  async function find({ id, identifier: name = id }: Match): Promise<Row[]> {
    const identifier = String(name);
    if (!identifier.startsWith(RESET)) return [];
    const { now } = currentAttempt();
    const reset = await links.findReset(hashToken(identifier.slice(RESET.length)), now);
    if (!reset) return [];
    const at = new Date(now);
    // The store was asked for one that is not over.
    const expiresAt = new Date(now + RESET_MS);
    return [{ id: identifier, identifier, value: String(reset.userId), expiresAt, createdAt: at, updatedAt: at }];
  }

  return { find, remove: find };
}
