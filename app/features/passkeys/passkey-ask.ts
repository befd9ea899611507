import type { PasskeySite } from "../../domain/people/passkey.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import type { AuthParts } from "../sign-in/auth-parts.ts";

export type PasskeyParts = AuthParts & { passkeys: PasskeyStore };

/** The site that asks for a passkey, and the person who is asked. */
export interface PasskeyAsk {
  site: PasskeySite & { ok: true };
  /** The person who is signed in or has given the first factor. Null: anybody, who has only the passkey. */
  person: { id: number; email: string } | null;
}
