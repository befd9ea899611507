/** Who owns what of a project. */
export interface OwnershipSettings {
  /** One rule a line. */
  text: string;
  /** New issues, and those that come back, are assigned by the rules. False: rules can be tried, and assign nothing. */
  isAssigning: boolean;
}

export const NO_OWNERSHIP: OwnershipSettings = { text: "", isAssigning: false };
