/** A link that undoes a change. Instants are milliseconds since 1970. */
export interface UndoLink {
  tokenHash: string;
  expiresAt: number;
}

/** The change of an address by a link. */
export interface EmailChange {
  userId: number;
  /** Whether it takes a change back. */
  isUndo: boolean;
  /** The address now, and after the link was used. */
  from: string;
  to: string;
}

/** Changes of addresses, which hold once somebody who reads the new one has confirmed them. */
export interface EmailChangeStore {
  /** Keeps a link for the new address; the member's earlier one ends. False: somebody has the address. */
  askEmailChange(ask: { tokenHash: string; userId: number; email: string; expiresAt: number }): Promise<boolean>;
  /** The change behind a link, if its account is a member's. Null: the link was used, has expired, or never existed. */
  findEmailChange(tokenHash: string, now: number): Promise<EmailChange | null>;
  /** Uses the link. Mailed links for a new password become invalid. Null as above, or if another user has the address now. */
  confirmEmailChange(confirm: { tokenHash: string; undo: UndoLink; at: number }): Promise<EmailChange | null>;
  /** Changes the address of a member at once, for somebody who may. Null: no member, or somebody has the address. */
  setEmail(set: { userId: number; email: string; undo: UndoLink | null; at: number }): Promise<EmailChange | null>;
  /**
   * Uses a link that takes a change back. The sessions and known browsers of the member end. So do the tokens, passkeys, second factors and
   * browsers to notify that came since the change, and the accounts at providers that were used since. `reset`: a link for a new password,
   * which is made with it. False as above.
   */
  undoEmailChange(undo: {
    tokenHash: string;
    reset: { tokenHash: string; expiresAt: number };
    at: number;
  }): Promise<boolean>;
}
