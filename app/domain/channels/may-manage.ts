import { hasRight, includesProject, type Scope } from "../scope.ts";
import type { Channel } from "./channel.ts";

/** Whether somebody may add, change or delete a channel for these projects. Null: for all projects. */
export function mayManageChannel(scope: Scope, { projectIds }: Pick<Channel, "projectIds">): boolean {
  if (projectIds === null) return hasRight(scope, "org:write");
  return hasRight(scope, "project:write") && projectIds.every((id) => includesProject(scope, id));
}
