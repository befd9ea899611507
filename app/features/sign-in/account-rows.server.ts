import { hashToken } from "../auth/session.server.ts";
import { currentAttempt, PROVIDER } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import { LinkIsGone } from "./reset-link-rows.server.ts";
import type { Row, Rows } from "./rows.ts";
import { toUserId } from "./user-rows.server.ts";

/**
 * The password of a person as an account of better-auth. Accounts at providers come with the attempt, because claims decide whose they are.
 */
export function accounts({ people, links }: Pick<AuthParts, "people" | "links">): Rows {
  async function findPassword(userId: string): Promise<Row[]> {
    const user = await people.getUser(toUserId(userId));
    const credentials = user && (await people.findCredentials(user.email));
    if (!user || !credentials) return [];
    const at = new Date(user.createdAt);
    return [
      {
        id: `password ${userId}`,
        userId,
        providerId: "credential",
        accountId: userId,
        password: credentials.passwordHash,
        createdAt: at,
        updatedAt: at,
      },
    ];
  }

  return {
    async find({ userId, providerId, accountId }) {
      if (providerId !== PROVIDER) return typeof userId === "string" ? await findPassword(userId) : [];
      const { identified, now } = currentAttempt();
      if (identified === null || identified.subject !== accountId) return [];
      const at = new Date(now);
      const id = `${PROVIDER} ${identified.subject}`;
      return [{ id, userId: String(identified.userId), providerId, accountId, createdAt: at, updatedAt: at }];
    },
    async update({ userId, providerId }, { password }) {
      if (providerId !== "credential" || typeof password !== "string")
        throw new Error("better-auth changes what it should not");
      const { resetToken, now } = currentAttempt();
      // Link, password, sessions and known browsers change in one transaction.
      if (
        resetToken === null ||
        !(await links.takeReset({ tokenHash: hashToken(resetToken), passwordHash: password, now }))
      )
        throw new LinkIsGone();
      return { userId };
    },
  };
}
