import type { Passkey } from "../../domain/people/passkey.ts";

export type NewPasskey = Omit<Passkey, "id" | "usedAt"> & {
  userId: number;
  publicKey: Uint8Array<ArrayBuffer>;
  /** The authenticator's last counter. 0: it does not count. */
  counter: number;
};

/** Passkeys of accounts, for signing in and for people's own settings. */
export interface PasskeyStore {
  /** Passkeys of one account, oldest first. */
  listPasskeys(userId: number): Promise<Passkey[]>;
  /** Whether a member has one. */
  hasPasskeys(): Promise<boolean>;
  /** False: the account has `MAX_PASSKEYS`, or the credential is known already. */
  addPasskey(passkey: NewPasskey): Promise<boolean>;
  /** A passkey of a member. Null: there is none. */
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
  /** False: the user has no such passkey. */
  renamePasskey(rename: { userId: number; passkeyId: number; name: string }): Promise<boolean>;
  /** Returns its name. Null: the user has no such passkey. */
  removePasskey(remove: { userId: number; passkeyId: number }): Promise<string | null>;
}
