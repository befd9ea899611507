import type { Workspace } from "../../access/workspace.ts";
import type { NamedOwner } from "../../domain/ownership/owners.ts";
import { readOwnershipRules } from "../../domain/ownership/ownership-rules.ts";
import type { OwnershipSettings } from "../../domain/ownership/ownership-settings.ts";
import type { Project } from "../../domain/project.ts";
import { loadOwnerNames } from "../../ownership/suggest-owners.ts";

export interface OwnersPage {
  ownership: OwnershipSettings;
  ruleCount: number;
  /** Owners who cannot get issues, with the numbers of the lines that name them. */
  missing: Array<{ owner: string; state: Exclude<NamedOwner["state"], "found">; lines: number[] }>;
}

/** Null: the project does not exist. */
export async function getOwnersPage(
  workspace: Pick<Workspace, "state" | "scope">,
  { id }: Pick<Project, "id">,
): Promise<OwnersPage | null> {
  const stored = await workspace.state.rules.getRules(workspace.scope, id);
  if (stored === null) return null;
  const { ownership } = stored;
  const read = readOwnershipRules(ownership.text);
  const rules = read.ok ? read.rules : [];
  const nameOwner = await loadOwnerNames(workspace, id);
  const missing = new Map<string, OwnersPage["missing"][number]>();
  for (const { owners, line } of rules) {
    for (const owner of owners) {
      const { state } = nameOwner(owner);
      if (state === "found") continue;
      const entry = missing.get(owner) ?? { owner, state, lines: [] };
      entry.lines.push(line);
      missing.set(owner, entry);
    }
  }
  return { ownership, ruleCount: rules.length, missing: [...missing.values()] };
}
