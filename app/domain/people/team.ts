import type { Rota } from "./rota.ts";

/** People who see the same projects. */
export interface Team {
  id: number;
  slug: string;
  name: string;
  /** Every project, also those that come later. */
  hasAllProjects: boolean;
  /** Ids of projects in the reader's scope, ascending. */
  projectIds: number[];
  /** Ascending. */
  memberIds: number[];
  /** The rota that decides who is on call. Null: the team has none. */
  rota: Rota | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}
