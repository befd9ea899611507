import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { acknowledgeIssue, withdrawAcknowledgement } from "../../features/alerts/acknowledge-issue.server.ts";
import { listPeriodItems, type PeriodItem } from "../../features/alerts/list-periods.server.ts";
import { answer, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { id, instant } from "../shapes.ts";

const periodAnswer = z.object({
  id,
  rule: z.object({ id, name: z.string() }),
  dateStarted: instant,
  told: z.array(
    z.object({
      step: z.number().nullable().describe("from 0; null: the first message"),
      date: instant,
      to: z.array(z.string()),
    }),
  ),
  nextStep: z.object({ date: instant, to: z.string() }).nullable(),
  acknowledged: z
    .object({ date: instant, user: z.object({ id, name: z.string() }).nullable() })
    .nullable()
    .describe("null: nobody has acknowledged it"),
});

const listed = { what: "What is open of alert rules that wait for an answer", json: z.array(periodAnswer) };

function serialize(period: PeriodItem): z.input<typeof periodAnswer> {
  const { acknowledged, next } = period;
  return {
    id: String(period.id),
    rule: { id: String(period.ruleId), name: period.ruleName },
    dateStarted: toIso(period.openedAt),
    told: period.told.map(({ step, at, to }) => ({ step, date: toIso(at), to })),
    nextStep: next && { date: toIso(next.at), to: next.to },
    acknowledged: acknowledged && {
      date: toIso(acknowledged.at),
      user: acknowledged.by && { id: String(acknowledged.by.id), name: acknowledged.by.name },
    },
  };
}

async function answerOpen(workspace: Workspace, issue: Issue): Promise<Response> {
  return answer((await listPeriodItems(workspace, { issueId: issue.id, isOpen: true })).map(serialize));
}

/** Lists the alert rules that wait for somebody to acknowledge an issue, and acknowledges it. */
function acknowledgeEndpoints(
  path: "/issues/{issue}/acknowledge/" | "/organizations/{organization}/issues/{issue}/acknowledge/",
): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "Alert rules that wait for somebody to acknowledge an issue, or did: whom they told, and what is next.",
      answers: { 200: listed },
      handle: ({ workspace, issue }) => answerOpen(workspace, issue),
    }),
    endpoint({
      method: "POST",
      path,
      scopes: ["event:write"],
      summary: "Acknowledges an issue: alert rules tell no further step. 409 where nothing waits for it.",
      answers: { 200: listed },
      async handle({ workspace, issue, now }) {
        const done = await acknowledgeIssue(workspace, { issue, via: "api", now });
        if (!done.ok) throw refusal(409, done.message);
        return await answerOpen(workspace, issue);
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      scopes: ["event:write"],
      summary: "Takes it back: steps that came due meanwhile are told at once. 409 where nobody has acknowledged it.",
      answers: { 200: listed },
      async handle({ workspace, issue, now }) {
        const open = await listPeriodItems(workspace, { issueId: issue.id, isOpen: true });
        const periodIds = open.map((period) => period.id);
        const done = await withdrawAcknowledgement(workspace, { issue, periodIds, now });
        if (!done.ok) throw refusal(409, done.message);
        return await answerOpen(workspace, issue);
      },
    }),
  ];
}

export const ACKNOWLEDGE_ENDPOINTS: readonly Endpoint[] = [
  ...acknowledgeEndpoints("/issues/{issue}/acknowledge/"),
  ...acknowledgeEndpoints("/organizations/{organization}/issues/{issue}/acknowledge/"),
];
