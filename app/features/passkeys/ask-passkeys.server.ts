import { type Outcome, toOutcome } from "../sign-in/ask-auth.server.ts";
import type { Attempt } from "../sign-in/attempt.server.ts";
import type { PasskeyAsk, PasskeyParts } from "./passkey-ask.ts";
import type { PasskeyAuth } from "./passkey-auth.server.ts";

/**
 * Asks better-auth's plugin for passkeys. The library is loaded with the first question. `owner`: the user whose passkey answered, rightly
 * or wrongly; null: the passkey is unknown.
 * @throws as `askAuth`.
 */
export async function askPasskeys<Answer>(
  parts: PasskeyParts,
  { attempt, ...asked }: PasskeyAsk & { attempt: Attempt },
  ask: (api: PasskeyAuth["api"]) => Promise<Answer>,
): Promise<{ outcome: Outcome<Answer>; owner: number | null }> {
  const { createPasskeyAuth } = await import("./passkey-auth.server.ts");
  const { api, seen } = createPasskeyAuth(parts, asked);
  const outcome = await toOutcome(attempt, () => ask(api));
  // The plugin says "wrong" for everything that fails, even for faults after a right answer.
  if (outcome.kind === "refused" && seen.isRight && attempt.fault) throw attempt.fault;
  return { outcome, owner: seen.passkey?.userId ?? null };
}
