import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Deploy, Release } from "../../domain/release.ts";
import { text } from "../input/fields.ts";
import { toWebUrl } from "./to-web-url.ts";

/** Fields of a deploy that pages and the web API accept. */
export const deployFields = {
  environment: text(64, "must say where to, like production"),
  name: z
    .string()
    .trim()
    .max(200)
    .nullish()
    .transform((name) => name || null),
  url: z
    .string()
    .trim()
    .max(2000)
    .refine((url) => url === "" || toWebUrl(url) !== null, "must begin with https:// or http://")
    .nullish()
    .transform((url) => url || null),
};

/** Projects that the deploy names belong to the release from then on. If it names none, it is a deploy of all the release's projects. */
export async function addDeploy(
  { state, scope }: Workspace,
  { version, projects }: Release,
  { deploy, now }: { deploy: Omit<Deploy, "id">; now: number },
): Promise<Deploy> {
  const projectIds = deploy.projectIds ?? [];
  if (projectIds.some((id) => !projects.some(({ projectId }) => projectId === id)))
    await state.releases.saveRelease(scope, { version, projectIds, at: now });
  return state.releases.addDeploy(scope, version, deploy);
}
