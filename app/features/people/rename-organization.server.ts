import type { Workspace } from "../../access/workspace.ts";
import { toOneLine } from "../../domain/one-line.ts";
import { findOrganizationNameFault } from "../../domain/people/organization-name.ts";
import { hasRight } from "../../domain/scope.ts";

export type RenameOrganizationResult = { ok: true; name: string } | { ok: false; status: 400 | 403; message: string };

/** Changes the organization's name on pages, in invitations and in mails. */
export async function renameOrganization({ state, scope }: Workspace, text: string): Promise<RenameOrganizationResult> {
  if (!hasRight(scope, "org:write"))
    return { ok: false, status: 403, message: "Owners and managers rename the organization." };
  const name = toOneLine(text);
  const fault = findOrganizationNameFault(name);
  if (fault !== null) return { ok: false, status: 400, message: fault };
  await state.members.renameOrganization(scope, name);
  return { ok: true, name };
}
