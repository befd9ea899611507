import { createHash } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { ActLink, LinkAct } from "../../domain/act-link.ts";
import { API_SCOPES, type ApiScope } from "../../domain/api-token.ts";
import { type AuditActor, type AuditNote, memberActor, nameMember } from "../../domain/audit/audit-entry.ts";
import type { Issue } from "../../domain/issue.ts";
import { hasRight } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import { isSignedUndo, readActLink, signUndo } from "../../notifications/act-link.server.ts";
import type { ActLinkStore } from "../../stores/state/act-link-store.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { acknowledgeIssue, parseAcknowledged, withdrawAcknowledgement } from "../alerts/acknowledge-issue.server.ts";
import { changeStatus } from "../issues/change-status.server.ts";
import { parsePreviousSnoozes, serializePreviousSnoozes } from "../issues/previous-snoozes.ts";
import { restoreSnoozes, snoozeIssues } from "../issues/snooze-issues.server.ts";
import { triageIssue } from "../issues/triage-issue.server.ts";

/** What a link asks; `isUsed`: it was answered. */
export interface AskedAct {
  act: LinkAct;
  /** The name of the person whom the link is for. */
  person: string;
  issue: { id: number; shortId: string; title: string; culprit: string; project: string };
  isUsed: boolean;
}

export type ActByLinkResult =
  | {
      ok: true;
      message: string /** What puts it back; null: nothing to put back. */;
      undo: { text: string; signature: string } | null;
    }
  | { ok: false; status: 400 | 403; message: string };

/** What comes before every scope: the link itself says who acts. */
interface LinkEntrance {
  readonly actLinks: ActLinkStore;
  readonly people: Pick<PeopleStore, "getUser" | "getAccess">;
  readonly audit: { note(note: AuditNote): Promise<void> };
  actAs<Result>(actor: AuditActor, work: () => Result): Result;
  openWorkspace(who: { user: User; rights: readonly ApiScope[] }): Promise<Workspace>;
}

interface FoundLink {
  link: ActLink;
  key: string;
  user: User;
  workspace: Workspace;
  issue: Issue;
}

/** For everybody who has the link. Null: it is wrong or over, or the person does not see the issue any more. */
export async function findAskedAct(entrance: LinkEntrance, token: string, now: number): Promise<AskedAct | null> {
  const found = await findLink(entrance, token, now);
  if (found === null) return null;
  const { link, user, workspace, issue } = found;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const { id, shortId, title, culprit, projectId } = issue;
  const project = projects.find((each) => each.id === projectId)?.name ?? "";
  return {
    act: link.act,
    person: nameMember(user),
    issue: { id, shortId, title, culprit, project },
    isUsed: await entrance.actLinks.isUsed(hash(token)),
  };
}

/** Does what the link says, once, or puts it back: `undo` and `signature` of the form, as the answer gave them. Null as above. */
export async function actByLink(
  entrance: LinkEntrance,
  { token, form, clientAddress, now }: { token: string; form: FormData; clientAddress: string | null; now: number },
): Promise<ActByLinkResult | null> {
  const found = await findLink(entrance, token, now);
  if (found === null) return null;
  const { link, key, user, workspace, issue } = found;
  const needed = link.act === "snooze" ? "event:read" : "event:write";
  if (!hasRight(workspace.scope, needed))
    return { ok: false, status: 403, message: "Your role does not allow this any more." };
  const undo = form.get("undo");
  const text = typeof undo === "string" ? undo : null;
  const signature = String(form.get("signature") ?? "");
  if (text !== null && !isSignedUndo(key, token, { undo: text, signature }))
    return { ok: false, status: 400, message: "undo: this is not what the link did." };
  const used = { hash: hash(text === null ? token : `undo ${token}`), expiresAt: link.expiresAt, now };
  if (!(await entrance.actLinks.use(used)))
    return {
      ok: false,
      status: 400,
      message: text === null ? "This link was used already." : "It was put back already.",
    };
  const actor = { ...memberActor(user), address: clientAddress };
  return await entrance.actAs(actor, async () => {
    const done =
      text === null ? await act(workspace, issue, link.act, now) : await putBack(workspace, issue, text, now);
    await entrance.audit.note({
      action: text === null ? "link.act" : "link.undo",
      target: { kind: "issue", id: issue.id, name: issue.shortId },
      after: { act: link.act },
    });
    if (!done.ok) return { ok: false, status: 400, message: done.message };
    const isUndoable = done.undo !== null && text === null;
    return {
      ok: true,
      message: done.message,
      undo: isUndoable ? { text: done.undo ?? "", signature: signUndo(key, token, done.undo ?? "") } : null,
    };
  });
}

type Done = { ok: true; message: string; undo: string | null } | { ok: false; message: string };

async function act(workspace: Workspace, issue: Issue, what: LinkAct, now: number): Promise<Done> {
  switch (what) {
    case "acknowledge":
      return await acknowledgeIssue(workspace, { issue, via: "link", now });
    case "resolve":
      return await changeStatus(workspace, { issue, form: toForm({ status: "resolved" }), now });
    case "assign":
      return await triageIssue(workspace, { issue, form: toForm({ intent: "assign", to: "me" }), now });
    case "snooze": {
      const previous = await snoozeIssues(workspace, { issues: [issue.id], until: now + DAY_MS, now });
      return { ok: true, message: "Snoozed for a day.", undo: serializePreviousSnoozes(previous) };
    }
  }
}

async function putBack(workspace: Workspace, issue: Issue, undo: string, now: number): Promise<Done> {
  const periodIds = parseAcknowledged(undo);
  if (periodIds !== null) {
    const done = await withdrawAcknowledgement(workspace, { issue, periodIds, now });
    return done.ok ? { ...done, undo: null } : done;
  }
  const snoozes = parsePreviousSnoozes(undo);
  if (snoozes === null) return await changeStatus(workspace, { issue, form: toForm({ undo }), now });
  await restoreSnoozes(workspace, { previous: snoozes, now });
  return { ok: true, message: "Put back as it was.", undo: null };
}

async function findLink(entrance: LinkEntrance, token: string, now: number): Promise<FoundLink | null> {
  const key = await entrance.actLinks.getKey();
  const link = readActLink(key, token);
  if (link === null || link.expiresAt <= now) return null;
  const user = await entrance.people.getUser(link.userId);
  if (user === null || (await entrance.people.getAccess(link.userId)) === null) return null;
  const workspace = await entrance.openWorkspace({ user, rights: API_SCOPES });
  const issue = await workspace.state.issues.getIssue(workspace.scope, link.issueId);
  return issue === null ? null : { link, key, user, workspace, issue };
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
