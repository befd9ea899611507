import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import {
  type IssueShare,
  MAX_SHARES,
  SHARE_CHOICES,
  type SharedIssue,
  toSharedIssue,
} from "../../domain/issues/shared-issue.ts";
import { hasRight, narrowScope, type Right } from "../../domain/scope.ts";
import type { ShareLinks } from "../../stores/state/share-store.ts";
import { AttemptCounter } from "../auth/attempt-counter.ts";
import { hashToken, isToken } from "../auth/session.server.ts";
import { readStoredEvent } from "../events/get-event-markdown.server.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";

export interface IssueSharing {
  isAllowed: boolean;
  shares: IssueShare[];
}

export async function getSharing({ state, scope }: Workspace, issueId: number, now: number): Promise<IssueSharing> {
  const [isAllowed, shares] = await Promise.all([
    state.shares.areSharesAllowed(scope),
    state.shares.listShares(scope, issueId, now),
  ]);
  return { isAllowed, shares };
}

export type ShareResult =
  /** `token` is stored nowhere: it is shown once. */
  { ok: true; share: IssueShare; token: string } | { ok: false; status: 400 | 403 | 404 | 409; message: string };

const REFUSALS = {
  off: { status: 403, message: "The organization does not allow links for strangers." },
  "not-found": { status: 404, message: "There is no such issue." },
  "too-many": { status: 409, message: `An issue has at most ${MAX_SHARES} links at once. End one first.` },
} as const;

/** Makes a link that shows a few facts of the issue to people without an account. */
export async function shareIssue(
  { state, scope, user }: Workspace,
  { issueId, lifetimeMs, now }: { issueId: number; lifetimeMs: number; now: number },
): Promise<ShareResult> {
  const token = randomBytes(32).toString("base64url");
  const created = await state.shares.createShare(scope, {
    ...{ issueId, tokenHash: hashToken(token), userId: user?.id ?? null },
    ...{ at: now, expiresAt: now + lifetimeMs },
  });
  return created.ok ? { ok: true, share: created.share, token } : { ok: false, ...REFUSALS[created.reason] };
}

const RESTORE_REFUSALS = {
  gone: {
    status: 409,
    message: "There is nothing to undo: the link works again, or somebody ended all links of the issue.",
  },
  over: { status: 409, message: "The time of this link is over." },
  unseen: { status: 409, message: "The link stays ended: who made it does not see the project any more." },
  off: REFUSALS.off,
  "too-many": REFUSALS["too-many"],
} as const;

export type SharingResult =
  /** `ended`: the id of the link that an undo restores. Null: none. */
  | { ok: true; message: string; token: string | null; ended: number | null }
  | { ok: false; status: number; message: string };

/**
 * Handles the forms of the page: `intent` is share, with `for` (a name of SHARE_CHOICES); or end-share or restore-share, with
 * `share` (an id).
 */
export async function changeSharing(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<SharingResult> {
  const { state, scope, user } = workspace;
  const userId = user?.id ?? null;
  if (!hasRight(scope, "event:write")) return { ok: false, status: 403, message: "Your role may not share issues." };
  const intent = form.get("intent");
  const of = { issueId: issue.id, shareId: Number(form.get("share")) || 0, now };
  if (intent === "end-share") {
    if (!(await state.shares.endShare(scope, { ...of, undoableBy: userId })))
      return { ok: false, status: 404, message: "This link is over already." };
    const ended = userId === null ? null : of.shareId;
    return { ok: true, message: "The link leads nowhere any more.", token: null, ended };
  }
  if (intent === "restore-share") {
    if (userId === null) return { ok: false, ...RESTORE_REFUSALS.gone };
    const restored = await state.shares.restoreShare(scope, { ...of, userId });
    return restored.ok
      ? { ok: true, message: "The link works again.", token: null, ended: null }
      : { ok: false, ...RESTORE_REFUSALS[restored.reason] };
  }
  if (intent !== "share")
    return { ok: false, status: 400, message: "intent: Must be one of share, end-share, restore-share." };
  const choice = SHARE_CHOICES.find(({ name }) => name === form.get("for"));
  if (!choice)
    return {
      ok: false,
      status: 400,
      message: `for: Must be one of ${SHARE_CHOICES.map(({ name }) => name).join(", ")}.`,
    };
  const shared = await shareIssue(workspace, { issueId: issue.id, lifetimeMs: choice.ms, now });
  return shared.ok ? { ok: true, message: "The link is made.", token: shared.token, ended: null } : shared;
}

/** Requests by client address. The limit is enough for a person who reads; tokens cannot be guessed anyway. */
const LOOKS = new AttemptCounter({ maxAttempts: 60, windowMs: 60_000 });

export type SharedIssueAnswer =
  | { ok: true; issue: SharedIssue; expiresAt: number }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/** The part of the server that is available before there is a scope. */
interface ShareEntrance {
  readonly shareLinks: ShareLinks;
  openWorkspace(who: { user: null; rights: readonly Right[] }): Promise<Workspace>;
}

/** What the holder of a link sees. A wrong token and an expired one give the same answer. */
export async function getSharedIssue(
  entrance: ShareEntrance,
  { token, clientAddress, now }: { token: string; clientAddress: string | null; now: number },
): Promise<SharedIssueAnswer> {
  const who = clientAddress ?? "unknown";
  const retryAfterSeconds = LOOKS.retryAfterSeconds(who, now);
  if (retryAfterSeconds > 0) return { ok: false, reason: "too-many", retryAfterSeconds };
  LOOKS.record(who, now);
  const share = isToken(token) ? await entrance.shareLinks.findShare(hashToken(token), now) : null;
  if (!share) return { ok: false, reason: "gone" };
  const workspace = await entrance.openWorkspace({ user: null, rights: ["event:read"] });
  const issue = await workspace.state.issues.getIssue(workspace.scope, share.issueId);
  if (!issue) return { ok: false, reason: "gone" };
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const latest = await readStoredEvents(
    workspace,
    () => workspace.events.findEdge({ projectIds, issueId: issue.id, from: null, to: null }, "latest"),
    (row) => row === null,
  );
  const stored = latest && (await readStoredEvent(workspace, latest));
  return { ok: true, issue: toSharedIssue(issue, stored?.event ?? null), expiresAt: share.expiresAt };
}
