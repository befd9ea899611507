import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { findMentions, MAX_COMMENT_LENGTH, MAX_COMMENTS, type Mentionable } from "../../domain/issues/comment.ts";
import type { AssigneeRef } from "../../domain/issues/triage.ts";
import type { Comment, CommentResult } from "../../stores/state/comment-store.ts";

export type CommentAnswer = { ok: true; comment: Comment } | { ok: false; status: 400 | 403 | 404; message: string };

/** The highest number of members, and of teams, that a comment is searched for. */
const MAX_MENTIONABLE = 1_000;

/** Writes a comment of the reader, and notifies mentioned people and subscribers. `isQuiet`: notifies nobody. */
export async function addComment(
  workspace: Workspace,
  { issue, text, mentions = [], isQuiet = false, now }: Draft & { issue: Issue; isQuiet?: boolean; now: number },
): Promise<CommentAnswer> {
  const draft = await readDraft(workspace, { issue, text, mentions });
  if (!draft.ok) return draft;
  const { ok: _, ...writing } = draft;
  const by = { issueId: issue.id, at: now, isQuiet };
  return toAnswer(await workspace.state.comments.addComment(workspace.scope, { ...writing, ...by }));
}

/** Changes a comment that the reader wrote. */
export async function changeComment(
  workspace: Workspace,
  { issue, commentId, text, mentions = [], now }: Draft & { issue: Issue; commentId: number; now: number },
): Promise<CommentAnswer> {
  const draft = await readDraft(workspace, { issue, text, mentions });
  if (!draft.ok) return draft;
  const { ok: _, ...writing } = draft;
  const of = { issueId: issue.id, commentId, at: now };
  return toAnswer(await workspace.state.comments.changeComment(workspace.scope, { ...writing, ...of }));
}

/** Deletes a comment that the reader wrote, and returns it. */
export async function deleteComment(
  { state, scope, user }: Workspace,
  { issue, commentId }: { issue: Issue; commentId: number },
): Promise<CommentAnswer> {
  if (user === null) return NOBODY;
  return toAnswer(await state.comments.deleteComment(scope, { issueId: issue.id, commentId, userId: user.id }));
}

interface Draft {
  text: string;
  /** Mentions that were sent beside the text, as stock tools do. */
  mentions?: readonly AssigneeRef[];
}

const NOBODY = {
  ok: false,
  status: 403,
  message: "A comment needs a person, and this token stands for none.",
} as const;

async function readDraft(
  { state, scope, user }: Workspace,
  { issue, text, mentions }: Required<Draft> & { issue: Issue },
): Promise<
  | { ok: true; text: string; mentions: AssigneeRef[]; userId: number }
  | { ok: false; status: 400 | 403; message: string }
> {
  if (user === null) return NOBODY;
  const written = text.replace(/\r\n?/g, "\n").trim();
  if (written === "") return { ok: false, status: 400, message: "text: Write something first." };
  if (written.length > MAX_COMMENT_LENGTH)
    return { ok: false, status: 400, message: `text: A comment has at most ${MAX_COMMENT_LENGTH} characters.` };
  const people = /[@#]/.test(written) ? await listMentionable({ state, scope }, issue.projectId) : [];
  return { ok: true, text: written, mentions: [...mentions, ...findMentions(written, people)], userId: user.id };
}

/** The members and teams who see the project, with every name that a comment may use for them. */
async function listMentionable(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  projectId: number,
): Promise<Mentionable[]> {
  const [people, members] = await Promise.all([
    state.triage.listAssignees(scope, { projectId, limit: MAX_MENTIONABLE }),
    state.members.listMembers(scope),
  ]);
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  return people.map((one): Mentionable => {
    if (one.kind === "team") return { kind: one.kind, id: one.id, names: [one.slug] };
    const email = emails.get(one.id) ?? "";
    return { kind: one.kind, id: one.id, names: [one.name, email, email.split("@")[0] ?? ""] };
  });
}

function toAnswer(result: CommentResult): CommentAnswer {
  if (result.ok) return result;
  switch (result.reason) {
    case "not-found":
      return { ok: false, status: 404, message: "There is no such comment." };
    case "not-own":
      return { ok: false, status: 403, message: "Only who wrote a comment can change or delete it." };
    case "too-many":
      return { ok: false, status: 400, message: `An issue has at most ${MAX_COMMENTS.toLocaleString("en")} comments.` };
  }
}
