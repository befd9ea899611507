import { z } from "zod";
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, type AuditEntry } from "../../domain/audit/audit-entry.ts";
import { listAudit } from "../../features/audit/list-audit.server.ts";
import { text } from "../../features/input/fields.ts";
import { answer, refusal, toIso, toLinkHeader } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { instant } from "../shapes.ts";

const row = z.object({
  id: z.string(),
  dateCreated: instant,
  event: z.string(),
  actor: z.object({ kind: z.enum(AUDIT_ACTOR_KINDS), id: z.string().nullable(), name: z.string() }),
  actorName: z.string(),
  ipAddress: z.string().nullable(),
  target: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string() }),
  note: z.string().nullable(),
  data: z.looseObject({ changes: z.array(z.looseObject({ field: z.string() })) }),
  hash: z.string(),
});

export const AUDIT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/audit-logs/",
    scopes: ["org:write"],
    summary: "The audit log, newest first, 50 entries a page.",
    query: z.object({
      query: text(2_000).optional().describe("a search, as on the page: action:token.* actor:ada time:-7d"),
      event: text(64).optional().describe("one action, like member.edit"),
      cursor: z.string().max(20).optional(),
    }),
    answers: {
      200: {
        what: "Entries, and the actions that there are",
        json: z.object({ rows: z.array(row), options: z.array(z.string()) }),
      },
    },
    async handle({ workspace, query, url, now }) {
      const before = Number(query.cursor ?? "");
      const search = [query.event ? `action:${JSON.stringify(query.event)}` : "", query.query ?? ""].join(" ").trim();
      const list = await listAudit(workspace, {
        search,
        before: Number.isSafeInteger(before) && before > 0 ? before : null,
        now,
      });
      const [error] = list.errors;
      if (error) throw refusal(400, `query: ${error.message}`);
      const nextCursor = list.nextBefore === null ? null : String(list.nextBefore);
      return answer(
        { rows: list.entries.map(serializeEntry), options: Object.keys(AUDIT_ACTIONS) },
        { headers: { link: toLinkHeader(url, { previousCursor: null, nextCursor }) } },
      );
    },
  }),
];

function serializeEntry({ id, at, actor, action, target, changes, hash }: AuditEntry): z.input<typeof row> {
  const numbered = (number: number | null) => (number === null ? null : String(number));
  return {
    id: String(id),
    dateCreated: toIso(at),
    event: action,
    actor: { kind: actor.kind, id: numbered(actor.id), name: actor.name },
    actorName: actor.name,
    ipAddress: actor.address,
    target: { ...target, id: numbered(target.id) },
    note: action in AUDIT_ACTIONS ? AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS] : null,
    data: { changes: changes.map((change) => ({ ...change })) },
    hash,
  };
}
