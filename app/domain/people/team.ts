/** People who see the same projects. */
export interface Team {
  id: number;
  slug: string;
  name: string;
  /** Every project, also those that come later. */
  hasAllProjects: boolean;
  /** Those of the reader's scope, ascending. */
  projectIds: number[];
  /** Ascending. */
  memberIds: number[];
  /** Milliseconds since 1970. */
  createdAt: number;
}
