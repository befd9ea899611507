/** Names of actions in the audit log: a noun and what was done to it. */
export const AUDIT_ACTIONS = {
  "organization.set-up": "Set up the organization",
  "organization.edit": "Renamed the organization",
  "session.begin": "Signed in",
  "session.end": "Signed out",
  "session.end-other": "Ended sessions",
  "session.failed": "Failed to sign in",
  "password.change": "Changed a password",
  "password.reset": "Set a new password by a link",
  "reset.create": "Made a link for a new password",
  "factor.add": "Added a way to sign in",
  "factor.remove": "Removed a way to sign in",
  "factor.rename": "Renamed a passkey",
  "factor.renew-codes": "Made new recovery codes",
  "sign-in.edit": "Changed how members sign in",
  "provider.change": "Changed single sign-on",
  "email.ask": "Asked for another address",
  "profile.edit": "Changed a name or an address",
  "invitation.create": "Invited somebody",
  "invitation.revoke": "Revoked an invitation",
  "invitation.restore": "Restored an invitation",
  "invitation.accept": "Accepted an invitation",
  "member.add": "Added a member",
  "member.edit": "Changed a member",
  "member.make-owner": "Made somebody the only owner",
  "member.remove": "Removed a member",
  "member.restore": "Restored a member",
  "team.create": "Created a team",
  "team.edit": "Changed a team",
  "team.delete": "Deleted a team",
  "token.create": "Created a token",
  "token.revoke": "Revoked a token",
  "project.create": "Created a project",
  "project.edit": "Changed a project",
  "project.rules": "Changed the rules of a project",
  "quota.edit": "Changed quotas",
  "project.delete": "Deleted a project",
  "key.create": "Created a key",
  "key.edit": "Changed a key",
  "key.delete": "Deleted a key",
  "grouping.edit": "Changed the grouping of a project",
  "monitor.create": "Created a monitor",
  "monitor.edit": "Changed a monitor",
  "monitor.delete": "Deleted a monitor",
  "notification.edit": "Changed notifications",
  "alert.create": "Created an alert rule",
  "alert.edit": "Changed an alert rule",
  "alert.delete": "Deleted an alert rule",
  "link.act": "Changed an issue by a link in a message",
  "link.undo": "Put back what a link in a message did",
  "silence.create": "Silenced alerts",
  "silence.edit": "Changed the end of a silence",
  "channel.create": "Added a channel",
  "channel.edit": "Changed a channel",
  "channel.delete": "Deleted a channel",
  "channel.fallback": "Chose another fallback channel",
  "uptime.create": "Began to check an address",
  "uptime.edit": "Changed how an address is checked",
  "uptime.delete": "Stopped checking an address",
  "uptime-location.create": "Added a location that checks addresses",
  "uptime-location.token": "Gave a location a new token",
  "uptime-location.delete": "Deleted a location that checked addresses",
  "status-page.edit": "Changed a public status page",
  "status-page.delete": "Took down a public status page",
  "metric.create": "Began to watch a figure",
  "metric.edit": "Changed how a figure is watched",
  "metric.delete": "Stopped watching a figure",
  "repository.create": "Added a repository",
  "repository.edit": "Changed a repository",
  "repository.delete": "Removed a repository",
  "upload.delete": "Deleted an upload",
  "upload.create": "Uploaded files",
  "release.create": "Created a release",
  "release.edit": "Changed a release",
  "release.delete": "Deleted a release",
  "deploy.create": "Recorded a deploy",
  "issues.change": "Changed the status of several issues",
  "share.create": "Made a link to an issue for strangers",
  "share.end": "Ended a link to an issue for strangers",
  "share.restore": "Restored a link to an issue for strangers",
  "share.switch": "Allowed or forbade links for strangers",
  "deletion.request": "Asked to delete data",
  "audit.prune": "Dropped old entries of this log",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export function isAuditAction(word: string): word is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, word);
}

export const AUDIT_ACTOR_KINDS = ["member", "token", "job", "command", "stranger", "server"] as const;

/** Who changes something. */
export interface AuditActor {
  kind: (typeof AUDIT_ACTOR_KINDS)[number];
  /** Id of the member or of the token. */
  id: number | null;
  /** `Name <address>` of a member, the name of a token, a job or a command. */
  name: string;
  /** The IP address of the client. Null: no request caused the change. */
  address: string | null;
}

/** The server itself: what nobody asked for. */
export const SERVER_ACTOR: AuditActor = { kind: "server", id: null, name: "Culprit", address: null };

/** The thing that was changed. `name`: its name at that moment. */
export interface AuditTarget {
  kind: string;
  id: number | null;
  name: string;
}

export type AuditValue = string | number | boolean | null | readonly AuditValue[];
export type AuditFields = Readonly<Record<string, AuditValue>>;

/** One field that changed. `before` is absent if the field is new, `after` if it is gone. */
export interface AuditChange {
  field: string;
  before?: AuditValue;
  after?: AuditValue;
}

/** What a store tells the audit log about a change. It never holds a secret, only the fact that one changed. */
export interface AuditNote {
  action: AuditAction;
  target: AuditTarget;
  before?: AuditFields;
  after?: AuditFields;
  /** The actor, for changes that reveal it themselves, like a sign-in. Absent: the actor of the request. */
  actor?: Omit<AuditActor, "address">;
}

/** An entry of the log, never changed. Ids have no gaps. */
export interface AuditEntry {
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  actor: AuditActor;
  /** One of `AUDIT_ACTIONS`, or an action that another version of Culprit wrote. */
  action: string;
  target: AuditTarget;
  changes: AuditChange[];
  /** SHA-256, 64 hex characters, over the entry and the hash of the one before. */
  hash: string;
}

/** The result of checking the chain of entries. */
export type AuditCheck =
  | { ok: true; count: number; lastId: number; lastHash: string }
  /** `entryId`: the first entry that does not fit. */
  | { ok: false; entryId: number; reason: string };

/** Entries are kept for two years, and half a million of them at most. */
export const AUDIT_KEPT_DAYS = 730;
export const MAX_AUDIT_ENTRIES = 500_000;

/** `Name <address>`. */
export function nameMember({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}

export function memberActor(user: { id: number; name: string; email: string }): Omit<AuditActor, "address"> {
  return { kind: "member", id: user.id, name: nameMember(user) };
}
