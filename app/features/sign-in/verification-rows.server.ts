import { RESET_MS } from "../../domain/people/invitation.ts";
import { hashToken } from "../auth/session.server.ts";
import { currentAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import { keepInBrowser } from "./kept-in-browser.server.ts";
import type { Match, Row, Rows } from "./rows.ts";

/** How better-auth begins the name of a link for a new password. */
const RESET = "reset-password:";

const steps = keepInBrowser("culprit_step");

/** Thrown where the link by which somebody came is used or over. */
export class LinkIsGone extends Error {
  constructor() {
    super("this link is used or over");
  }
}

/** What has to be found again later: links for a new password are in the store, by the hash of their token; steps of a sign-in in the browser. */
export function verifications({ links }: Pick<AuthParts, "links">): Rows {
  async function findReset({ id, identifier: name = id }: Match): Promise<Row[]> {
    const identifier = String(name);
    const { now } = currentAttempt();
    const reset = await links.findReset(hashToken(identifier.slice(RESET.length)), now);
    if (!reset) return [];
    const at = new Date(now);
    // The store was asked for one that is not over.
    const expiresAt = new Date(now + RESET_MS);
    return [{ id: identifier, identifier, value: String(reset.userId), expiresAt, createdAt: at, updatedAt: at }];
  }

  return {
    create: steps.create,
    find: async (match) => (isReset(match) ? await findReset(match) : await steps.find(match)),
    // A link ends with the change of the password: until then it works, should the queue for hashes be full.
    remove: async (match) => (isReset(match) ? await findReset(match) : await steps.remove(match)),
  };
}

function isReset({ id, identifier = id }: Match): boolean {
  return String(identifier).startsWith(RESET);
}
