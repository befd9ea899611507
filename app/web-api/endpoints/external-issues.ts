import { z } from "zod";
import { MAX_EXTERNAL_ISSUES } from "../../domain/issues/tracker.ts";
import { linkIssue, unlinkIssue } from "../../features/issues/link-issue.server.ts";
import type { ExternalIssue } from "../../stores/state/external-issue-store.ts";
import { answer, nothing, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { id, instant } from "../shapes.ts";

const MAX_URL_LENGTH = 2_000;

const linkAnswer = z.object({
  id,
  issueId: id,
  serviceType: z.string().describe("the host of the address"),
  displayName: z.string(),
  webUrl: z.url(),
  dateCreated: instant,
});

function serialize({ id, url, name, at }: ExternalIssue, issueId: number): z.input<typeof linkAnswer> {
  return {
    id: String(id),
    issueId: String(issueId),
    serviceType: new URL(url).hostname,
    displayName: name,
    webUrl: url,
    dateCreated: toIso(at),
  };
}

/** Tasks in other trackers that an issue is linked to. */
function linkEndpoints(
  path: "/issues/{issue}/external-issues/" | "/organizations/{organization}/issues/{issue}/external-issues/",
): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "Tasks in other trackers that an issue is linked to, oldest first.",
      answers: { 200: { what: `Links, at most ${MAX_EXTERNAL_ISSUES}`, json: z.array(linkAnswer) } },
      async handle({ workspace: { state, scope }, issue }) {
        const links = await state.externalIssues.listExternalIssues(scope, issue.id);
        return answer(links.map((link) => serialize(link, issue.id)));
      },
    }),
    endpoint({
      method: "POST",
      path,
      scopes: ["event:write"],
      summary: "Links an issue to a task, by its address.",
      body: { json: z.object({ webUrl: z.string().max(MAX_URL_LENGTH) }) },
      answers: { 201: { what: "The link", json: linkAnswer } },
      async handle({ workspace, issue, body, now }) {
        const linked = await linkIssue(workspace, { issue, url: body.webUrl, now });
        if (!linked.ok) throw refusal(linked.status, linked.message.replace(/^url: /, "webUrl: "));
        return answer(serialize(linked.link, issue.id), { status: 201 });
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}{link}/`,
      scopes: ["event:write"],
      summary: "Removes a link. The task elsewhere stays.",
      answers: { 204: { what: "Removed", json: null } },
      async handle({ workspace, issue, params, now }) {
        const linkId = /^\d{1,15}$/.test(params.link) ? Number(params.link) : 0;
        const unlinked = await unlinkIssue(workspace, { issue, linkId, now });
        if (!unlinked.ok) throw refusal(unlinked.status, unlinked.message);
        return nothing();
      },
    }),
  ];
}

export const EXTERNAL_ISSUE_ENDPOINTS: readonly Endpoint[] = [
  ...linkEndpoints("/issues/{issue}/external-issues/"),
  ...linkEndpoints("/organizations/{organization}/issues/{issue}/external-issues/"),
];
