import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { MAX_COMMENT_LENGTH, MAX_MENTIONS } from "../../domain/issues/comment.ts";
import { type AssigneeRef, parseAssigneeText } from "../../domain/issues/triage.ts";
import {
  addComment,
  type CommentAnswer,
  changeComment,
  deleteComment,
} from "../../features/issues/comment-on-issue.server.ts";
import type { Comment } from "../../stores/state/comment-store.ts";
import { answer, nothing, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { id, instant } from "../shapes.ts";

/** The most comments in one answer: all comments of an issue fit. */
const MAX_LISTED = 1_000;

const commentAnswer = z.object({
  id,
  issue: id,
  type: z.literal("note"),
  dateCreated: instant,
  user: z.object({ id, name: z.string() }).nullable().describe("null: the account is gone"),
  data: z.object({ text: z.string(), editedAt: instant.nullable() }),
});

const draft = z.object({
  text: z.string().min(1).max(MAX_COMMENT_LENGTH).describe("Markdown"),
  mentions: z
    .array(z.string())
    .max(MAX_MENTIONS)
    .default([])
    .describe("`user:ID` and `team:ID`, beside the names that stand in the text with an @"),
});

function serializeComment({ id, issueId, at, user, text, editedAt }: Comment): z.input<typeof commentAnswer> {
  return {
    id: String(id),
    issue: String(issueId),
    type: "note",
    dateCreated: toIso(at),
    user: user && { id: String(user.id), name: user.name },
    data: { text, editedAt: editedAt === null ? null : toIso(editedAt) },
  };
}

/** @throws a 400 answer. */
function toRefs(mentions: readonly string[]): AssigneeRef[] {
  return mentions.map((text) => {
    const ref = parseAssigneeText(text);
    if (ref === null) throw refusal(400, `mentions: must be user:ID or team:ID, not "${text.slice(0, 40)}"`);
    return ref;
  });
}

/** @throws the refusal as an answer. */
function require(result: CommentAnswer): Comment {
  if (!result.ok) throw refusal(result.status, result.message);
  return result.comment;
}

/** @throws a 404 answer. */
function toCommentId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refusal(404, "There is no such comment.");
  return Number(text);
}

function listComments({ state, scope }: Workspace, issueId: number): Promise<Comment[]> {
  return state.comments.listComments(scope, issueId, MAX_LISTED);
}

/** The endpoints of comments, for each of the paths that stock tools use. */
function commentEndpoints(
  path:
    | "/issues/{issue}/comments/"
    | "/issues/{issue}/notes/"
    | "/organizations/{organization}/issues/{issue}/comments/"
    | "/organizations/{organization}/issues/{issue}/notes/",
): Endpoint[] {
  const one = { what: "The comment", json: commentAnswer };
  return [
    endpoint({
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "Comments of an issue, newest first.",
      answers: { 200: { what: "Comments", json: z.array(commentAnswer) } },
      handle: async ({ workspace, issue }) => answer((await listComments(workspace, issue.id)).map(serializeComment)),
    }),
    endpoint({
      method: "POST",
      path,
      scopes: ["event:write"],
      summary: "Writes a comment of the token's person. People who are mentioned or subscribed get mail.",
      body: { json: draft },
      answers: { 201: one },
      async handle({ workspace, issue, body: { text, mentions }, now }) {
        const added = await addComment(workspace, { issue, text, mentions: toRefs(mentions), now });
        return answer(serializeComment(require(added)), { status: 201 });
      },
    }),
    endpoint({
      method: "PUT",
      path: `${path}{comment}/`,
      scopes: ["event:write"],
      summary: "Changes one's own comment.",
      body: { json: draft },
      answers: { 200: one },
      async handle({ workspace, issue, params, body: { text, mentions }, now }) {
        const commentId = toCommentId(params.comment);
        const changed = await changeComment(workspace, { issue, commentId, text, mentions: toRefs(mentions), now });
        return answer(serializeComment(require(changed)));
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}{comment}/`,
      scopes: ["event:write"],
      summary: "Deletes one's own comment.",
      answers: { 204: { what: "Deleted", json: null } },
      async handle({ workspace, issue, params }) {
        require(await deleteComment(workspace, { issue, commentId: toCommentId(params.comment) }));
        return nothing();
      },
    }),
  ];
}

export const COMMENT_ENDPOINTS: readonly Endpoint[] = [
  ...commentEndpoints("/issues/{issue}/comments/"),
  ...commentEndpoints("/issues/{issue}/notes/"),
  ...commentEndpoints("/organizations/{organization}/issues/{issue}/comments/"),
  ...commentEndpoints("/organizations/{organization}/issues/{issue}/notes/"),
];
