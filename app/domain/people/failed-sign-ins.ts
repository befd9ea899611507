export interface FailedSignIns {
  /** `account`: a member's e-mail address. Null: nobody has the typed address, which is not stored. */
  count(attempt: { account: string | null; address: string | null }): void;
  /** Writes the counts that are not written yet. */
  close(): Promise<void>;
}
