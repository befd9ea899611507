import type { AuthParts } from "./auth-parts.ts";
import type { Rows } from "./rows.ts";

/** Members as users of better-auth, without removed ones. The username is the address as it was typed. */
export function users({ people }: Pick<AuthParts, "people">): Rows {
  return {
    async find({ id, email, username }) {
      const address = username ?? email;
      const userId =
        typeof address === "string" ? (await people.findCredentials(address))?.userId : toUserId(String(id));
      const user = userId === undefined ? null : await people.getUser(userId);
      if (user === null) return [];
      const createdAt = new Date(user.createdAt);
      return [
        {
          id: String(user.id),
          email: user.email.toLowerCase(),
          username: user.email.toLowerCase(),
          name: user.name,
          emailVerified: true,
          image: null,
          createdAt,
          updatedAt: createdAt,
        },
      ];
    },
  };
}

/** Converts better-auth's text id to the id of a user. */
export function toUserId(id: string): number {
  return Number(id);
}
