/** The ownership rules of a project. */
export interface OwnershipSettings {
  /** One rule a line. */
  text: string;
  /** Whether the rules assign new issues and issues that come back. False: people can try the rules, and nothing is assigned. */
  isAssigning: boolean;
}

export const NO_OWNERSHIP: OwnershipSettings = { text: "", isAssigning: false };
