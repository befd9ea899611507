import type { Rota } from "./rota.ts";

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
  /** Who is on call; null: the team has no rota. */
  rota: Rota | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}
