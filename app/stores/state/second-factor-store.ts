/** The second factor of an account, as the server keeps it. Instants are milliseconds since 1970. */
export interface SecondFactor {
  /** Base32, shared with the person's app. */
  secret: string;
  createdAt: number;
  /** Null: the set-up has begun, and sign-in does not ask for it yet. */
  confirmedAt: number | null;
  /** Recovery codes that are not used yet. */
  recoveryCodesLeft: number;
}

/** Second factors of accounts, for sign-in and for the account's own settings. */
export interface SecondFactorStore {
  getSecondFactor(userId: number): Promise<SecondFactor | null>;
  /** Starts a set-up, replacing an earlier one. False when the account has a second factor already. */
  beginSecondFactor(begin: { userId: number; secret: string; at: number }): Promise<boolean>;
  /** Ends the set-up of this secret: sign-in asks for it from now on. False when it is not the one that was begun. */
  confirmSecondFactor(confirm: {
    userId: number;
    secret: string;
    /** The time step of the code that confirmed it: it is used. */
    step: number;
    recoveryCodeHashes: readonly string[];
    at: number;
  }): Promise<boolean>;
  /** Uses the code of a time step. False when it, or a later one, was used before. */
  takeStep(take: { userId: number; step: number }): Promise<boolean>;
  /** Uses up a recovery code. False when no code has this hash. */
  takeRecoveryCode(take: { userId: number; codeHash: string }): Promise<boolean>;
  replaceRecoveryCodes(replace: { userId: number; codeHashes: readonly string[] }): Promise<void>;
  /** Removes the second factor and its recovery codes. Returns whether there was one in use. */
  removeSecondFactor(userId: number): Promise<boolean>;
}
