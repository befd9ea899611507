/** A problem of a data folder or a backup, for the operator. */
export interface Finding {
  /** A file or folder. */
  path: string;
  what: string;
  means: string;
  /** How to fix it. */
  cure: string;
}

export const RESTORE = "restore the whole folder from a backup (npm run restore, or culprit restore)";
