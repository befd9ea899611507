import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { MAX_QUOTA_LIMIT, QUOTA_KINDS, QUOTA_PERIODS, type Quota, type QuotaKind } from "../../domain/quotas/quota.ts";
import { changeQuotas } from "../../features/limits/change-quotas.server.ts";
import { listQuotaUses } from "../../features/limits/list-quota-uses.server.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const KINDS = Object.keys(QUOTA_KINDS) as [QuotaKind, ...QuotaKind[]];

const quota = z.object({
  kind: z.enum(KINDS).describe("what is counted; attachments in bytes, everything else in items"),
  period: z.enum(QUOTA_PERIODS).describe("of the calendar, in UTC"),
  limit: z.int().min(0).max(MAX_QUOTA_LIMIT).describe("0 refuses all"),
});

const listed = quota.extend({
  used: z.int(),
  resetsAt: z.iso.datetime(),
  refused: z.int().describe("items, since the day began; of a quota a month, since the month began"),
});

const body = { json: z.object({ quotas: z.array(quota).max(KINDS.length * QUOTA_PERIODS.length) }) };
const answers = { 200: { what: "Quotas", json: z.array(listed) } };

const OF_PROJECT = "/projects/{organization}/{project}/quotas/";
const OF_SERVER = "/organizations/{organization}/quotas/";

export const QUOTA_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: OF_PROJECT,
    scopes: ["project:read"],
    summary: "The quotas of a project, with what is used of them now.",
    answers,
    handle: ({ workspace, project, now }) => list(workspace, project.id, now),
  }),
  endpoint({
    method: "PUT",
    path: OF_PROJECT,
    scopes: ["project:write"],
    summary: "Sets all quotas of a project: those that are not named go. They hold at once.",
    body,
    answers,
    handle: ({ workspace, project, body: { quotas }, now }) => save(workspace, project.id, quotas, now),
  }),
  endpoint({
    method: "GET",
    path: OF_SERVER,
    scopes: ["org:write"],
    summary: "The quotas of the whole server, with what is used of them now.",
    answers,
    handle: ({ workspace, now }) => list(workspace, null, now),
  }),
  endpoint({
    method: "PUT",
    path: OF_SERVER,
    scopes: ["org:write"],
    summary: "Sets all quotas of the whole server: those that are not named go. They hold at once.",
    body,
    answers,
    handle: ({ workspace, body: { quotas }, now }) => save(workspace, null, quotas, now),
  }),
];

async function save(
  workspace: Workspace,
  projectId: number | null,
  quotas: readonly Quota[],
  now: number,
): Promise<Response> {
  const saved = await changeQuotas(workspace, projectId, quotas);
  if (!saved.ok) throw refusal(saved.status, saved.message);
  return list(workspace, projectId, now);
}

async function list(workspace: Workspace, projectId: number | null, now: number): Promise<Response> {
  const quotas = await listQuotaUses(workspace, projectId, now);
  if (quotas === null) throw refusal(404, "The requested project does not exist");
  return answer(
    quotas.map(({ quota: { kind, period, limit }, used, endsAt, refused }) => ({
      kind,
      period,
      limit,
      used,
      resetsAt: new Date(endsAt).toISOString(),
      refused,
    })),
  );
}
