import { createAuthMiddleware } from "@better-auth/core/api";
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth/minimal";
import { currentAttempt } from "../sign-in/attempt.server.ts";
import { toCommonOptions } from "../sign-in/create-auth.server.ts";
import { KEPT_MS, keepInBrowser } from "../sign-in/kept-in-browser.server.ts";
import type { PasskeyAsk, PasskeyParts } from "./passkey-ask.ts";
import { createCeremony } from "./passkey-ceremony.server.ts";

/** How the plugin calls the cookie with the name of a challenge. No browser gets it: the sealed cookie has the name, too. */
const CHALLENGE = "challenge";

/** The challenge, what it is for, and for whom. */
const challenges = keepInBrowser("culprit_passkey");

/**
 * better-auth for one question and its answer, at one site. Making it takes half a millisecond, so none is kept: whoever comes with the name
 * of another site leaves nothing behind.
 */
export function createPasskeyAuth(parts: PasskeyParts, asked: PasskeyAsk) {
  const { site, person } = asked;
  const { rows, hooks, seen } = createCeremony(parts.passkeys, asked);
  const common = toCommonOptions(parts, { passkey: rows, verification: challenges });
  // New, because the plugin wants that for a new passkey: the password was asked for just now.
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

/** The name of the browser's challenge; null: it has none that is for this person, or for anybody where it is nobody yet. */
async function findChallenge(person: PasskeyAsk["person"]): Promise<string | null> {
  const [challenge] = await challenges.find({});
  if (!challenge) return null;
  const { userData }: { userData: { id: string } } = JSON.parse(String(challenge.value));
  return userData.id === (person === null ? "" : String(person.id)) ? String(challenge.identifier) : null;
}
