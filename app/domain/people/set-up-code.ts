export type SetUpCodeCheck = { ok: true } | { ok: false; retryAfterSeconds: number | null };

/** Guards the set-up page of a server that nobody owns yet: only people who can read its log know the code. */
export interface SetUpCode {
  /** A code like `K7QM-2XWB-9RTD`. */
  readonly code: string;
  /** Case, blanks and hyphens do not matter. `retryAfterSeconds` is null when the code was looked at, and is wrong. */
  check(text: string, clientAddress: string | null): SetUpCodeCheck;
}
