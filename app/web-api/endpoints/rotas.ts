import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { parseTimeOfDay, toTimeOfDay } from "../../domain/people/quiet-hours.ts";
import type { Team } from "../../domain/people/team.ts";
import { type ChangeRotaResult, endRota, saveRota } from "../../features/people/change-rota.server.ts";
import { describeRota } from "../../features/people/describe-rota.server.ts";
import { answer, nothing, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { id, instant } from "../shapes.ts";

const ROTA = "/teams/{organization}/{team}/rota/";
const userId = z.coerce.number().int().positive();

const rotaBody = z.object({
  members: z.array(userId).max(200).describe("ids in order; the first is on call from the last handover on"),
  handover: z.object({
    weekday: z.int().describe("1 is Monday, 7 Sunday"),
    time: z.string().max(5).describe("like 09:00"),
    timezone: z.string().max(64).describe("like Europe/Berlin"),
  }),
  overrides: z
    .array(z.object({ user: userId, from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }))
    .max(200)
    .optional()
    .describe("absent: those that it has stay; where two overlap, the later one counts"),
});

const shift = z.object({
  user: z.object({ id, name: z.string() }),
  from: instant,
  to: instant,
  isOverride: z.boolean(),
});
const rotaAnswer = z.object({
  members: z.array(id),
  handover: z.object({ weekday: z.number(), time: z.string(), timezone: z.string() }),
  overrides: z.array(z.object({ user: id, from: instant, to: instant })),
  shifts: z.array(shift).describe("who is on call now, and the next four"),
});
const one = { what: "The rota", json: rotaAnswer };

export const ROTA_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: ROTA,
    scopes: ["team:read"],
    summary: "Says who is on call for a team, now and next. 404 if it has no rota.",
    answers: { 200: one },
    handle: ({ workspace, team, now }) => answerRota(workspace, team, now),
  }),
  endpoint({
    method: "PUT",
    path: ROTA,
    scopes: ["team:write"],
    summary: "Gives a team a rota, or another one.",
    body: { json: rotaBody },
    answers: { 200: one },
    async handle({ workspace, team, body: { members, handover, overrides }, now }) {
      const draft = {
        memberIds: members,
        handover: { ...handover, minute: parseTimeOfDay(handover.time) ?? -1 },
        ...(overrides && {
          overrides: overrides.map(({ user, from, to }) => ({
            userId: user,
            from: Date.parse(from),
            to: Date.parse(to),
          })),
        }),
      };
      const { weekday, minute, timezone } = draft.handover;
      const saved = await saveRota(workspace, team, {
        draft: { ...draft, handover: { weekday, minute, timezone } },
        now,
      });
      return await answerRota(workspace, requireTeam(saved), now);
    },
  }),
  endpoint({
    method: "DELETE",
    path: ROTA,
    scopes: ["team:write"],
    summary: "Ends the rota of a team. Rules that name it tell the whole team.",
    answers: { 204: { what: "Ended", json: null } },
    async handle({ workspace, team }) {
      requireTeam(await endRota(workspace, team));
      return nothing();
    },
  }),
];

async function answerRota({ state, scope }: Workspace, team: Team, now: number): Promise<Response> {
  const members = await state.members.listMembers(scope);
  const view = describeRota(team, { members, now });
  if (view === null || team.rota === null) throw refusal(404, "This team has no rota");
  const { weekday, minute, timezone } = team.rota.handover;
  const body: z.input<typeof rotaAnswer> = {
    members: view.order.map(String),
    handover: { weekday, time: toTimeOfDay(minute), timezone },
    overrides: view.overrides.map((each) => ({
      user: String(each.userId),
      from: toIso(each.from),
      to: toIso(each.to),
    })),
    shifts: view.shifts.map(({ userId: who, name, from, to, isOverride }) => ({
      user: { id: String(who), name },
      from: toIso(from),
      to: toIso(to),
      isOverride,
    })),
  };
  return answer(body);
}

/** Names of the fields of a rota in the web API, by those of the form. */
const FIELDS: Record<string, string> = {
  order: "members",
  weekday: "handover.weekday",
  time: "handover.time",
  timezone: "handover.timezone",
  user: "overrides",
  from: "overrides",
  to: "overrides",
};

/** @throws the refusal as an answer that names the field. */
function requireTeam(result: ChangeRotaResult): Team {
  if (result.ok) return result.team;
  const { status, field, message } = result;
  throw refusal(status, field === null ? message : `${FIELDS[field] ?? field}: ${message}`);
}
