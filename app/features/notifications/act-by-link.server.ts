import { createHash } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { ActLink, LinkAct } from "../../domain/act-link.ts";
import { API_SCOPES, type ApiScope } from "../../domain/api-token.ts";
import { type AuditActor, type AuditNote, memberActor, nameMember } from "../../domain/audit/audit-entry.ts";
import { type Channel, servesProject } from "../../domain/channels/channel.ts";
import { hasActs } from "../../domain/channels/channel-kinds.ts";
import type { Issue } from "../../domain/issue.ts";
import { findPaths } from "../../domain/people/access.ts";
import { hasRight } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { User } from "../../domain/user.ts";
import { isSignedUndo, readActLink, signUndo } from "../../notifications/act-link.server.ts";
import type { ActLinkStore } from "../../stores/state/act-link-store.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import {
  type AcknowledgeResult,
  acknowledgeIssue,
  parseAcknowledged,
  withdrawAcknowledgement,
} from "../alerts/acknowledge-issue.server.ts";
import { changeStatus } from "../issues/change-status.server.ts";
import { parsePreviousSnoozes, serializePreviousSnoozes } from "../issues/previous-snoozes.ts";
import { restoreSnoozes, snoozeIssues } from "../issues/snooze-issues.server.ts";
import { triageIssue } from "../issues/triage-issue.server.ts";

/** The question that a link asks. `isUsed`: it was answered already. */
export interface AskedAct {
  act: LinkAct;
  /** In whose name the link acts: a person's or a channel's. */
  by: { kind: "person" | "channel"; name: string };
  /** For `assign` from a channel: the members to choose from, by name. */
  assignees: Array<{ id: number; name: string }>;
  issue: { id: number; shortId: string; title: string; culprit: string; project: string };
  isUsed: boolean;
}

export type ActByLinkResult =
  | {
      ok: true;
      message: string;
      /** The signed undo; null when nothing can be undone. */
      undo: { text: string; signature: string } | null;
    }
  | { ok: false; status: 400 | 403; message: string };

/** What is needed before there is a scope: the link itself says who acts. */
interface LinkEntrance {
  readonly actLinks: ActLinkStore;
  readonly people: Pick<PeopleStore, "getUser" | "getAccess">;
  readonly audit: { note(note: AuditNote): Promise<void> };
  actAs<Result>(actor: AuditActor, work: () => Result): Result;
  openWorkspace(who: { user: User | null; rights: readonly ApiScope[] }): Promise<Workspace>;
}

interface FoundLink {
  link: ActLink;
  key: string;
  by: { kind: "person"; user: User } | { kind: "channel"; channel: Channel };
  workspace: Workspace;
  issue: Issue;
}

/**
 * What the link asks. Everybody who has the link may see it. Null: the link is wrong or has expired, or the person does not see the issue
 * any more.
 */
export async function findAskedAct(entrance: LinkEntrance, token: string, now: number): Promise<AskedAct | null> {
  const found = await findLink(entrance, token, now);
  if (found === null) return null;
  const { link, by, workspace, issue } = found;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const { id, shortId, title, culprit, projectId } = issue;
  const project = projects.find((each) => each.id === projectId)?.name ?? "";
  return {
    act: link.act,
    by: by.kind === "person" ? { kind: by.kind, name: nameMember(by.user) } : { kind: by.kind, name: by.channel.name },
    assignees: by.kind === "channel" && link.act === "assign" ? await listAssignees(workspace, issue) : [],
    issue: { id, shortId, title, culprit, project },
    isUsed: await entrance.actLinks.isUsed(hash(token)),
  };
}

/** Does what the link says, once, or undoes it. `undo` and `signature` in the form are those of the earlier answer. Null as above. */
export async function actByLink(
  entrance: LinkEntrance,
  { token, form, clientAddress, now }: { token: string; form: FormData; clientAddress: string | null; now: number },
): Promise<ActByLinkResult | null> {
  const found = await findLink(entrance, token, now);
  if (found === null) return null;
  const { link, key, by, workspace, issue } = found;
  const needed = link.act === "snooze" ? "event:read" : "event:write";
  if (!hasRight(workspace.scope, needed))
    return { ok: false, status: 403, message: "Your role does not allow this any more." };
  const undo = form.get("undo");
  const text = typeof undo === "string" ? undo : null;
  const signature = String(form.get("signature") ?? "");
  if (text !== null && !isSignedUndo(key, token, { undo: text, signature }))
    return { ok: false, status: 400, message: "undo: this is not what the link did." };
  const to = String(form.get("to") ?? "");
  if (text === null && by.kind === "channel" && link.act === "assign" && !/^user:\d{1,15}$/.test(to))
    return { ok: false, status: 400, message: "to: Choose who has it." };
  const used = { hash: hash(text === null ? token : `undo ${token}`), expiresAt: link.expiresAt, now };
  if (!(await entrance.actLinks.use(used)))
    return {
      ok: false,
      status: 400,
      message: text === null ? "This link was used already." : "It was put back already.",
    };
  const actor = { ...toActor(by), address: clientAddress };
  return await entrance.actAs(actor, async () => {
    const done =
      text === null
        ? await act(workspace, { issue, what: link.act, to, now })
        : await putBack(workspace, issue, text, now);
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

function toActor(by: FoundLink["by"]): Omit<AuditActor, "address"> {
  if (by.kind === "person") return memberActor(by.user);
  return { kind: "stranger", id: null, name: `somebody who reads the channel ${by.channel.name}` };
}

/** Members who see the project of the issue. Their addresses are left out, because anybody who reads a channel may have the link. */
async function listAssignees({ state, scope }: Workspace, { projectId }: Issue): Promise<AskedAct["assignees"]> {
  const [members, teams] = await Promise.all([state.members.listMembers(scope), state.members.listTeams(scope)]);
  return members
    .filter(({ userId, role, projectIds }) => {
      const own = teams.filter(({ memberIds }) => memberIds.includes(userId));
      return findPaths({ role, projectIds, teams: own }, projectId).length > 0;
    })
    .map(({ userId, name, email }) => ({ id: userId, name: name || email.replace(/@.*$/, "") }));
}

/** `to`: the chosen member, for `assign` from a channel. A channel is no person, so a snooze from a channel archives the issue for everybody. */
async function act(
  workspace: Workspace,
  { issue, what, to, now }: { issue: Issue; what: LinkAct; to: string; now: number },
): Promise<AcknowledgeResult> {
  const isPerson = workspace.user !== null;
  switch (what) {
    case "acknowledge":
      return await acknowledgeIssue(workspace, { issue, via: "link", now });
    case "resolve":
      return await changeStatus(workspace, { issue, form: toForm({ status: "resolved" }), now });
    case "assign":
      return await triageIssue(workspace, { issue, form: toForm({ intent: "assign", to: isPerson ? "me" : to }), now });
    case "snooze": {
      if (!isPerson) {
        const form = toForm({ status: "archived", by: "time", until: new Date(now + DAY_MS).toISOString() });
        return await changeStatus(workspace, { issue, form, now });
      }
      const previous = await snoozeIssues(workspace, { issues: [issue.id], until: now + DAY_MS, now });
      return { ok: true, message: "Snoozed for a day.", undo: serializePreviousSnoozes(previous) };
    }
  }
}

async function putBack(workspace: Workspace, issue: Issue, undo: string, now: number): Promise<AcknowledgeResult> {
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
  const { holder } = link;
  if ("channelId" in holder) {
    const workspace = await entrance.openWorkspace({
      user: null,
      rights: ["event:read", "event:write"],
    });
    const channel = await workspace.state.channels.getChannel(workspace.scope, holder.channelId);
    const issue = await workspace.state.issues.getIssue(workspace.scope, link.issueId);
    if (channel === null || issue === null || !hasActs(channel) || !servesProject(channel, issue.projectId))
      return null;
    return { link, key, by: { kind: "channel", channel }, workspace, issue };
  }
  const user = await entrance.people.getUser(holder.userId);
  if (user === null || (await entrance.people.getAccess(holder.userId)) === null) return null;
  const workspace = await entrance.openWorkspace({ user, rights: API_SCOPES });
  const issue = await workspace.state.issues.getIssue(workspace.scope, link.issueId);
  return issue === null ? null : { link, key, by: { kind: "person", user }, workspace, issue };
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
