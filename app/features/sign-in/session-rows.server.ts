import { sealRenewalToken } from "../auth/renewal-token.ts";
import { hashToken } from "../auth/session.server.ts";
import { currentAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import type { Rows } from "./rows.ts";
import { toUserId } from "./user-rows.server.ts";

interface NewSession {
  token: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  userAgent: string | null;
}

/** The store has the hash of a token; only the browser's cookie has the token itself. `getViewer` reads sessions. */
export function sessions({ people }: Pick<AuthParts, "people">): Rows {
  return {
    async create(row) {
      const { token, userId, createdAt, expiresAt, userAgent } = row as unknown as NewSession;
      const { providerId, renewalToken } = currentAttempt();
      await people.createSession({
        tokenHash: hashToken(token),
        userId: toUserId(userId),
        createdAt: createdAt.getTime(),
        expiresAt: expiresAt.getTime(),
        providerId,
        renewalToken: sealRenewalToken(renewalToken, token),
        userAgent,
      });
      return { id: hashToken(token), ...row };
    },
  };
}
