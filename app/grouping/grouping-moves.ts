import { movedOverBy } from "../domain/grouping-version.ts";
import type { Project } from "../domain/project.ts";

/** When each project moved over from version 1, by its id. Projects that began with version 2 are not in it. */
export type GroupingMoves = ReadonlyMap<number, number>;

/** Read once: projects move over when a newer Culprit opens the state store, and at no other time. */
export async function loadGroupingMoves(directory: {
  listProjects(): Promise<Array<Pick<Project, "id" | "groupingMovedAt">>>;
}): Promise<GroupingMoves> {
  const projects = await directory.listProjects();
  return new Map(projects.flatMap(({ id, groupingMovedAt: at }) => (at === null ? [] : [[id, at] as const])));
}

/** Decided by the time of arrival, so that a second reading of the journal gives the same result. */
export function isMovingOver(moves: GroupingMoves, projectId: number, receivedAt: number): boolean {
  if (moves.size === 0) return false;
  const movedAt = moves.get(projectId);
  return movedAt !== undefined && receivedAt < movedOverBy(movedAt);
}
