import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import {
  FEEDBACK_STATUSES,
  type FeedbackChange,
  type FeedbackStatus,
  type PreviousFeedback,
} from "../../domain/feedback/feedback.ts";
import { parseAssigneeText, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { readForm } from "../input/read-form.ts";
import { findAssignee, toRef } from "../issues/find-assignee.server.ts";

/** The most feedback in one request: as much as a page has, and room for tools. */
const MAX_AT_ONCE = 200;
const MAX_UNDO_LENGTH = 20_000;

const CHANGES: Readonly<Record<string, { change: FeedbackChange; words: string }>> = {
  resolve: { change: { status: "resolved" }, words: "resolved" },
  reopen: { change: { status: "unresolved" }, words: "reopened" },
  spam: { change: { status: "spam" }, words: "moved to Spam" },
  "not-spam": { change: { status: "unresolved" }, words: "taken out of Spam" },
  read: { change: { isRead: true }, words: "marked as read" },
  unread: { change: { isRead: false }, words: "marked as unread" },
};

/** The intents of the inbox's forms. `assign` needs `to`, `undo` needs `previous`. */
const FEEDBACK_INTENTS = [...Object.keys(CHANGES), "assign", "undo"];

const FORM = z.object({
  intent: z.enum(FEEDBACK_INTENTS),
  feedback: z.array(z.coerce.number().int()).max(MAX_AT_ONCE).default([]),
  to: z.string().max(300).default(""),
  previous: z.string().max(MAX_UNDO_LENGTH).default(""),
});

export type FeedbackAnswer =
  | {
      ok: true;
      message: string;
      /** The value of the undo form's field; null when nothing can be undone. */
      undo: string | null;
    }
  | { ok: false; status: 400; message: string };

/** Does what a form of the inbox asks for. `now`: milliseconds since 1970. */
export async function changeFeedbackByForm(
  workspace: Pick<Workspace, "state" | "scope" | "user">,
  form: FormData,
  now: number,
): Promise<FeedbackAnswer> {
  const read = readForm(FORM, form);
  if (!read.ok) return refuse(`${read.field}: ${read.message}`);
  const { intent, feedback: ids, to, previous } = read.fields;
  const { state, scope, user } = workspace;
  const by = { userId: user?.id ?? null, at: now };
  if (intent === "undo") {
    const before = parsePreviousFeedback(previous);
    if (before === null) return refuse("This is not what an undo sends.");
    await state.feedback.restoreFeedback(scope, before, by);
    return { ok: true, message: `${count(before.length)} as before`, undo: null };
  }
  if (ids.length === 0) return refuse("Select a message first.");
  const named = await nameChange(workspace, intent, to);
  if (!named.ok) return refuse(`${named.message}.`);
  const changed = await state.feedback.changeFeedback(scope, { ids, ...named.change, ...by });
  const refused = changed.refusedIds.length;
  if (refused > 0 && changed.previous.length === 0)
    return refuse(`The project of this feedback is not one that ${named.name} sees.`);
  const rest = refused === 0 ? "" : `; ${named.name} does not see the project of ${refused} more`;
  return {
    ok: true,
    message: `${count(changed.previous.length)} ${named.words}${rest}`,
    undo: changed.previous.length === 0 ? null : serializePreviousFeedback(changed.previous),
  };
}

async function nameChange(
  workspace: Pick<Workspace, "state" | "scope" | "user">,
  intent: string,
  to: string,
): Promise<{ ok: true; change: FeedbackChange; words: string; name: string } | { ok: false; message: string }> {
  const known = CHANGES[intent];
  if (known) return { ok: true, ...known, name: "" };
  const found = await findAssignee(workspace, to);
  if (!found.ok) return found;
  const name = found.assignee === null ? "nobody" : toAssigneeName(found.assignee);
  return { ok: true, change: { assignee: toRef(found.assignee) }, words: `assigned to ${name}`, name };
}

/** The values before a change, for a hidden field: `17:unresolved:0:user:3,18:resolved:1`. */
export function serializePreviousFeedback(previous: readonly PreviousFeedback[]): string {
  return previous
    .map(({ id, status, isRead, assignee }) =>
      [id, status, isRead ? 1 : 0, ...(assignee ? [toAssigneeText(assignee)] : [])].join(":"),
    )
    .join();
}

/** Null: the text was not made by `serializePreviousFeedback`. */
export function parsePreviousFeedback(text: string): PreviousFeedback[] | null {
  const previous: PreviousFeedback[] = [];
  for (const part of text.split(",")) {
    const match = /^(-?[1-9]\d{0,14}):([a-z]+):([01])(?::((?:user|team):\d{1,15}))?$/.exec(part);
    const status = FEEDBACK_STATUSES.find((name): name is FeedbackStatus => name === match?.[2]);
    if (!match || status === undefined || previous.length >= MAX_AT_ONCE) return null;
    const assignee = match[4] === undefined ? null : parseAssigneeText(match[4]);
    previous.push({ id: Number(match[1]), status, isRead: match[3] === "1", assignee });
  }
  return previous;
}

function count(number: number): string {
  return number === 1 ? "1 message" : `${number} messages`;
}

function refuse(message: string): FeedbackAnswer {
  return { ok: false, status: 400, message };
}
