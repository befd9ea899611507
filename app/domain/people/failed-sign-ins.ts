export interface FailedSignIns {
  /** `account`: the address of e-mail of a member; null: nobody has the address that was typed, and it is not kept. */
  count(attempt: { account: string | null; address: string | null }): void;
  /** Writes what was counted and not written yet. */
  close(): Promise<void>;
}
