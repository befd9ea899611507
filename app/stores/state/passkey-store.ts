import type { Passkey } from "../../domain/people/passkey.ts";

export type NewPasskey = Omit<Passkey, "id" | "usedAt"> & {
  userId: number;
  publicKey: Uint8Array<ArrayBuffer>;
  /** What the authenticator counted last; 0: it does not count. */
  counter: number;
};

/** Passkeys of accounts, for signing in and for people's own settings. */
export interface PasskeyStore {
  /** Of one account, oldest first. */
  listPasskeys(userId: number): Promise<Passkey[]>;
  /** Whether a member has one. */
  hasPasskeys(): Promise<boolean>;
  /** False: the account has `MAX_PASSKEYS`, or the credential is known already. */
  addPasskey(passkey: NewPasskey): Promise<boolean>;
  /** Of a member; null: there is none. */
  findPasskey(
    credentialId: string,
  ): Promise<(Passkey & { userId: number; publicKey: Uint8Array<ArrayBuffer>; counter: number }) | null>;
  /** Notes a use. False when its counter is not `counter` any more: another request has used it. */
  notePasskeyUse(use: {
    passkeyId: number;
    counter: number;
    nextCounter: number;
    isBackedUp: boolean;
    at: number;
  }): Promise<boolean>;
  /** False: the user has none such. */
  renamePasskey(rename: { userId: number; passkeyId: number; name: string }): Promise<boolean>;
  /** Its name; null: the user has none such. */
  removePasskey(remove: { userId: number; passkeyId: number }): Promise<string | null>;
}
