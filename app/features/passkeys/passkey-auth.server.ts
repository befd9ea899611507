import { createAuthMiddleware } from "@better-auth/core/api";
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth/minimal";
import { currentAttempt } from "../sign-in/attempt.server.ts";
import { toCommonOptions } from "../sign-in/create-auth.server.ts";
import { KEPT_MS, keepInBrowser } from "../sign-in/kept-in-browser.server.ts";
import type { PasskeyAsk, PasskeyParts } from "./passkey-ask.ts";
import { createCeremony } from "./passkey-ceremony.server.ts";

/** The plugin's name of the cookie that names a challenge. No browser gets this cookie, because the sealed cookie has the name, too. */
const CHALLENGE = "challenge";

/** The challenge, its purpose, and the person for whom it is. */
const challenges = keepInBrowser("culprit_passkey");

/**
 * Makes better-auth for one question and its answer at one site. It takes half a millisecond, so none is kept. So requests with names of
 * other sites leave nothing behind.
 */
export function createPasskeyAuth(parts: PasskeyParts, asked: PasskeyAsk) {
  const { site, person } = asked;
  const { rows, hooks, seen } = createCeremony(parts.passkeys, asked);
  const common = toCommonOptions(parts, { passkey: rows, verification: challenges });
  // A new session, because the plugin requires one for a new passkey. The password was asked for just now.
  const session = person && {
    session: { createdAt: new Date() },
    user: { id: String(person.id), email: person.email },
  };
  const { api } = betterAuth({
    ...common,
    databaseHooks: {
      ...common.databaseHooks,
      // The plugin's five minutes are too short for the browser's suggestions in the field of the address.
      verification: {
        create: { before: async () => ({ data: { expiresAt: new Date(currentAttempt().now + KEPT_MS) } }) },
      },
    },
    hooks: {
      before: createAuthMiddleware(async ({ context, setSignedCookie }) => {
        const headers = new Headers();
        const identifier = await findChallenge(person);
        if (identifier !== null) {
          const { name } = context.createAuthCookie(CHALLENGE);
          headers.set("cookie", await setSignedCookie(name, identifier, context.secret));
        }
        return { context: { headers, context: { session } } };
      }),
    },
    plugins: [
      passkey({ rpID: site.host, origin: site.origin, advanced: { webAuthnChallengeCookie: CHALLENGE }, ...hooks }),
    ],
  });
  return { api, seen };
}

export type PasskeyAuth = ReturnType<typeof createPasskeyAuth>;

/** The name of the browser's challenge. Null: there is none for this person. If nobody is known yet, it must be one for anybody. */
async function findChallenge(person: PasskeyAsk["person"]): Promise<string | null> {
  const [challenge] = await challenges.find({});
  if (!challenge) return null;
  const { userData }: { userData: { id: string } } = JSON.parse(String(challenge.value));
  return userData.id === (person === null ? "" : String(person.id)) ? String(challenge.identifier) : null;
}
