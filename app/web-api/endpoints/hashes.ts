import { z } from "zod";
import { splitOffHashes } from "../../features/grouping/merge-issues.server.ts";
import { answer, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { list } from "../query.ts";
import { id, instant } from "../shapes.ts";

const hashAnswer = z.object({
  id: z.string(),
  dateCreated: instant,
  grouping: z.looseObject({ version: z.string(), basis: z.string() }),
  mergedFrom: z.object({ id, shortId: z.string(), mergeId: id }).nullable().describe("by which merge it came here"),
});

/** The keys of an issue: `id` is the hash, as with Sentry. */
function hashEndpoints(issue: "/issues/{issue}" | "/organizations/{organization}/issues/{issue}"): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${issue}/hashes/`,
      scopes: ["event:read"],
      summary: "The keys that lead to an issue, and why, at most 200.",
      answers: { 200: { what: "Hashes", json: z.array(hashAnswer) } },
      async handle({ workspace: { state, scope }, issue }) {
        const hashes = await state.issues.listIssueHashes(scope, issue.id);
        const of = { projectId: issue.projectId, issueId: issue.id };
        const merges = (await state.issueMerges.listMerges(scope, of)).filter(({ undoneAt }) => undoneAt === null);
        return answer(
          hashes.map(({ hash, firstSeenAt, grouping }) => {
            const merge = merges.find((each) => each.hashes.includes(hash));
            return {
              id: hash,
              dateCreated: toIso(firstSeenAt),
              grouping: { ...grouping },
              mergedFrom: merge
                ? { id: String(merge.merged.issueId), shortId: merge.merged.shortId, mergeId: String(merge.id) }
                : null,
            };
          }),
        );
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${issue}/hashes/`,
      scopes: ["event:write"],
      summary:
        "Undoes the merges by which these hashes came to the issue. Their issues are there again, with their events; where those take longer than two seconds, `isSettled` of both issues says when they are there.",
      query: z.object({ id: list.describe("Repeatable: hashes") }),
      answers: { 202: { what: "The issues that are there again", json: z.object({ issues: z.array(id) }) } },
      async handle({ workspace, issue, query, now }) {
        if (query.id.length === 0) throw refusal(400, "id is required: name the hashes");
        const split = await splitOffHashes(workspace, { issue, hashes: query.id, now });
        if (!split.ok) throw refusal(split.status, split.message);
        return answer({ issues: split.merges.map(({ merged }) => String(merged.issueId)) }, { status: 202 });
      },
    }),
  ];
}

export const HASH_ENDPOINTS: readonly Endpoint[] = [
  ...hashEndpoints("/issues/{issue}"),
  ...hashEndpoints("/organizations/{organization}/issues/{issue}"),
];
