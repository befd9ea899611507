import type { Workspace } from "../../access/workspace.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import { nameUnnamed, toProjectSlugs } from "../../domain/traces/name-service.ts";

interface GroupKey {
  name: string;
  isTag: boolean;
  /** Only for `service`: the service of rows that name none, by project. */
  unnamed?: ReadonlyMap<number, string>;
}

/** Keys of groups. Rows that name no service are grouped by the name that pages show for them: see `nameService`. */
export async function nameServiceKeys<Key extends GroupKey>(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  projectIds: ScopedProjectIds,
  keys: readonly Key[],
): Promise<Key[]> {
  const isService = ({ name, isTag }: Key) => name === "service" && !isTag;
  if (!keys.some(isService)) return [...keys];
  const slugs = toProjectSlugs(await state.projects.listProjects(scope));
  const unnamed = new Map(projectIds.map((id) => [id, nameUnnamed(id, slugs)]));
  return keys.map((key) => (isService(key) ? { ...key, unnamed } : key));
}
