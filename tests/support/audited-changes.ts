import type { AuditAction } from "../../app/domain/audit/audit-entry.ts";
import type { Visit } from "./limited-visits.ts";

/** Entries of the audit log that a change may add (one of them is enough), or why it adds none. */
export type Audited = readonly AuditAction[] | { none: string };

const OWN_ACTIVITY: Audited = { none: "the issue's own activity has it; a change of several is an entry" };
const FEEDBACK: Audited = { none: "the feedback itself says who changed its status last" };
const VIEW: Audited = { none: "a view is a name for an address, and gives nothing to anybody" };
const READING: Audited = { none: "it concerns the reader alone" };
const NO_CHANGE: Audited = { none: "it changes nothing that is kept" };
const UPLOAD_PART: Audited = { none: "a part of an upload, which is an entry once it is whole" };

/** Every form of the pages, by its route and its intent; "" where a form has none. */
export const FORMS: Readonly<Record<string, Readonly<Record<string, Audited>>>> = {
  "/set-up": { "": ["organization.set-up"] },
  "/sign-in": { "": ["session.begin", "session.failed"], passkey: ["session.begin", "session.failed"] },
  "/sign-in/passkey": { "": { none: "a challenge that the server does not keep" } },
  "/sign-in/code": { "": ["session.begin", "session.failed"], passkey: ["session.begin", "session.failed"] },
  "/second-factor": {
    "begin-factor": { none: "nothing holds before the code is confirmed" },
    "confirm-factor": ["factor.add"],
  },
  "/settings/security": {
    "begin-factor": { none: "nothing holds before the code is confirmed" },
    "confirm-factor": ["factor.add"],
    "turn-off-factor": ["factor.remove"],
    "new-codes": ["factor.renew-codes"],
    disconnect: ["factor.remove"],
    "add-passkey": ["factor.add"],
    "rename-passkey": ["factor.rename"],
    "remove-passkey": ["factor.remove"],
  },
  "/settings/sign-in": {
    "allow-shares": ["share.switch"],
    "forbid-shares": ["share.switch"],
    "require-second-factor": ["sign-in.edit"],
    "allow-one-factor": ["sign-in.edit"],
    "require-provider": ["sign-in.edit"],
    "allow-passwords": ["sign-in.edit"],
    "add-provider": ["provider.change"],
    "provider-limits": ["sign-in.edit"],
  },
  "/settings/sign-in/:provider": {
    save: ["provider.change"],
    "turn-on": ["provider.change"],
    "turn-off": ["provider.change"],
    delete: ["provider.change"],
    "add-rule": ["provider.change"],
    "remove-rule": ["provider.change"],
  },
  "/crons/new": { create: ["monitor.create"] },
  "/crons/:project/:slug": {
    save: ["monitor.edit"],
    pause: ["monitor.edit"],
    resume: ["monitor.edit"],
    mute: ["monitor.edit"],
    unmute: ["monitor.edit"],
    "switch-zone": ["monitor.edit"],
    delete: ["monitor.delete"],
  },
  "/settings/channels/new": { add: ["channel.create"] },
  "/settings/channels/:channel": {
    save: ["channel.edit"],
    test: NO_CHANGE,
    "rotate-secret": ["channel.edit"],
    delete: ["channel.delete"],
  },
  "/projects/:slug/grouping": {
    save: ["grouping.edit"],
    preview: NO_CHANGE,
    "preview-move": NO_CHANGE,
    move: ["grouping.edit"],
    "undo-move": ["grouping.edit"],
  },
  "/sign-out": { "": ["session.end"] },
  "/invitation/:token": { "": ["invitation.accept"] },
  "/reset-password": { "": ["reset.create"] },
  "/reset-password/:token": { "": ["password.reset"] },
  "/change-email/:token": { "": ["profile.edit"] },
  "/theme": { "": NO_CHANGE },
  "/error-feedback": { "": NO_CHANGE },
  "/api/0/*": { "": { none: "see ENDPOINT_WRITES" } },
  "/*": { "": NO_CHANGE },
  "/issues": {
    resolve: OWN_ACTIVITY,
    "resolve-in-next-release": OWN_ACTIVITY,
    archive: OWN_ACTIVITY,
    "archive-until": OWN_ACTIVITY,
    "archive-count": OWN_ACTIVITY,
    "archive-escalates": OWN_ACTIVITY,
    "snooze-until": READING,
    reopen: OWN_ACTIVITY,
    undo: OWN_ACTIVITY,
    assign: OWN_ACTIVITY,
    priority: OWN_ACTIVITY,
    delete: ["deletion.request"],
  },
  "/issues/:issueId": {
    "": OWN_ACTIVITY,
    assign: OWN_ACTIVITY,
    priority: OWN_ACTIVITY,
    comment: OWN_ACTIVITY,
    "edit-comment": OWN_ACTIVITY,
    "delete-comment": { none: "one's own comment" },
    link: OWN_ACTIVITY,
    unlink: OWN_ACTIVITY,
    tracker: ["project.edit"],
    merge: OWN_ACTIVITY,
    "merge-other": OWN_ACTIVITY,
    "undo-merge": OWN_ACTIVITY,
    delete: ["deletion.request"],
    "delete-event": ["deletion.request"],
  },
  "/issues/:issueId/split": { split: ["grouping.edit"], "undo-split": ["grouping.edit"] },
  "/issues/:issueId/share": { share: ["share.create"], "end-share": ["share.end"] },
  "/issues/:issueId/mine": {
    subscribe: READING,
    unsubscribe: READING,
    bookmark: READING,
    unbookmark: READING,
    seen: READING,
    snooze: READING,
    unsnooze: READING,
  },
  "/uptime/new": { "": ["uptime.create"] },
  "/uptime/:monitor": {
    save: ["uptime.edit"],
    pause: ["uptime.edit"],
    resume: ["uptime.edit"],
    delete: ["uptime.delete"],
  },
  "/feedback/:feedbackId?": {
    resolve: FEEDBACK,
    reopen: FEEDBACK,
    spam: FEEDBACK,
    "not-spam": FEEDBACK,
    read: FEEDBACK,
    unread: FEEDBACK,
    assign: FEEDBACK,
    undo: FEEDBACK,
  },
  "/views": {
    save: VIEW,
    restore: VIEW,
    rename: VIEW,
    share: VIEW,
    unshare: VIEW,
    default: VIEW,
    "no-default": VIEW,
    up: VIEW,
    down: VIEW,
    delete: VIEW,
  },
  "/alerts": { enable: ["alert.edit"], disable: ["alert.edit"], delete: ["alert.delete"], restore: ["alert.create"] },
  "/alerts/new": { save: ["alert.create"], rehearse: NO_CHANGE },
  "/alerts/:rule": { save: ["alert.edit"], rehearse: NO_CHANGE },
  "/releases/:version/:tab?": {
    archive: ["release.edit"],
    restore: ["release.edit"],
    finalize: ["release.edit"],
    delete: ["release.delete"],
    "add-deploy": ["deploy.create"],
    "delete-upload": ["upload.delete"],
  },
  "/projects/new": { "": ["project.create"] },
  "/projects/:slug/set-up": { "": NO_CHANGE, "send-sample": NO_CHANGE },
  "/projects/:slug/settings": {
    general: ["project.edit"],
    origins: ["project.edit"],
    services: ["project.edit"],
    "source-links": ["project.edit"],
    apdex: ["project.edit"],
    "try-source-links": NO_CHANGE,
    "add-mapping": NO_CHANGE,
    "fetch-source-maps": ["project.edit"],
    "create-key": ["key.create"],
    "label-key": ["key.edit"],
    "limit-key": ["key.edit"],
    "loader-key": ["key.edit"],
    "toggle-key": ["key.edit"],
    "delete-key": ["key.delete"],
    "delete-project": ["project.delete"],
  },
  "/projects/:slug/source-maps": { "": ["upload.delete"] },
  "/projects/:slug/privacy": { save: ["project.rules"], test: NO_CHANGE },
  "/projects/:slug/owners": { save: ["project.rules"], import: ["project.rules"], try: NO_CHANGE },
  "/projects/:slug/filters": {
    "built-in": ["project.rules"],
    lists: ["project.rules"],
    "add-condition": ["project.rules"],
    "enable-condition": ["project.rules"],
    "disable-condition": ["project.rules"],
    "delete-condition": ["project.rules"],
  },
  "/projects/:slug/limits": {
    "set-quota": ["quota.edit"],
    "remove-quota": ["quota.edit"],
    volume: ["project.rules"],
    "turn-off-spike": ["project.rules"],
  },
  "/settings/limits": { "set-quota": ["quota.edit"], "remove-quota": ["quota.edit"] },
  "/projects/:slug/notifications": {
    recipients: ["notification.edit"],
    channels: ["notification.edit"],
    test: NO_CHANGE,
    retry: { none: "it sends a message again" },
    delete: { none: "it forgets a message that nobody got" },
  },
  "/settings": {
    profile: ["profile.edit", "email.ask"],
    password: ["password.change"],
    "mail-password": ["reset.create"],
    "end-session": ["session.end-other"],
    "end-other-sessions": ["session.end-other"],
    leave: ["member.remove"],
  },
  "/settings/tokens": { create: ["token.create"], revoke: ["token.revoke"] },
  "/settings/members": {
    role: ["member.edit"],
    access: ["member.edit"],
    address: ["profile.edit"],
    remove: ["member.remove"],
    restore: ["member.restore"],
    reset: ["reset.create"],
    "reset-factor": ["factor.remove"],
  },
  "/settings/members/:member": {
    role: ["member.edit"],
    access: ["member.edit"],
    remove: ["member.remove"],
    restore: ["member.restore"],
    reset: ["reset.create"],
    "reset-factor": ["factor.remove"],
  },
  "/settings/invitations": {
    invite: ["invitation.create"],
    renew: ["invitation.create"],
    revoke: ["invitation.revoke"],
  },
  "/settings/teams": { create: ["team.create"] },
  "/settings/teams/:team": { rename: ["team.edit"], access: ["team.edit"], delete: ["team.delete"] },
  "/settings/repositories": {
    create: ["repository.create"],
    place: ["repository.edit"],
    disable: ["repository.edit"],
    enable: ["repository.edit"],
    delete: ["repository.delete"],
  },
  "/settings/deletions": { "delete-user": ["deletion.request"] },
};

const ORG = "/organizations/{organization}";
const PROJECT = "/projects/{organization}/{project}";

/** Every endpoint of the web API that is not read with GET. */
export const ENDPOINT_WRITES: Readonly<Record<string, Audited>> = {
  [`POST ${ORG}/monitors/`]: ["monitor.create"],
  ...forEach([`${ORG}/monitors/{monitor}/`, `${PROJECT}/monitors/{monitor}/`], {
    PUT: ["monitor.edit"],
    DELETE: ["monitor.delete"],
  }),
  [`POST ${ORG}/members/`]: ["invitation.create"],
  [`PUT ${ORG}/members/{member}/`]: ["member.edit"],
  [`DELETE ${ORG}/members/{member}/`]: ["member.remove", "invitation.revoke"],
  ...forEach([`${ORG}/members/{member}/teams/{team}/`, `${PROJECT}/teams/{team}/`], {
    POST: ["team.edit"],
    DELETE: ["team.edit"],
  }),
  [`POST ${ORG}/teams/`]: ["team.create"],
  "PUT /teams/{organization}/{team}/": ["team.edit"],
  "DELETE /teams/{organization}/{team}/": ["team.delete"],
  "POST /teams/{organization}/{team}/projects/": ["project.create"],
  [`POST ${ORG}/projects/`]: ["project.create"],
  [`PUT ${PROJECT}/`]: ["project.edit"],
  [`DELETE ${PROJECT}/`]: ["project.delete"],
  [`PUT ${PROJECT}/filters/{filter}/`]: ["project.rules"],
  [`PUT ${PROJECT}/quotas/`]: ["quota.edit"],
  [`PUT ${PROJECT}/volume/`]: ["project.rules"],
  [`PUT ${ORG}/quotas/`]: ["quota.edit"],
  [`POST ${PROJECT}/rules/`]: ["alert.create"],
  [`PUT ${PROJECT}/rules/{rule}/`]: ["alert.edit"],
  [`DELETE ${PROJECT}/rules/{rule}/`]: ["alert.delete"],
  [`PUT ${PROJECT}/ownership/`]: ["project.rules"],
  [`POST ${PROJECT}/keys/`]: ["key.create"],
  [`PUT ${PROJECT}/keys/{key}/`]: ["key.edit"],
  [`DELETE ${PROJECT}/keys/{key}/`]: ["key.delete"],
  ...forEach([`${ORG}/issues/`, `${PROJECT}/issues/`, "/issues/{issue}/", `${ORG}/issues/{issue}/`], {
    PUT: OWN_ACTIVITY,
    DELETE: ["deletion.request"],
  }),
  ...forEach(["/issues/{issue}/hashes/", `${ORG}/issues/{issue}/hashes/`], { DELETE: OWN_ACTIVITY }),
  ...forEach(
    ["/issues", `${ORG}/issues`].flatMap((base) => [`${base}/{issue}/comments/`, `${base}/{issue}/notes/`]),
    { POST: OWN_ACTIVITY },
  ),
  ...forEach(
    ["/issues", `${ORG}/issues`].flatMap((base) => [
      `${base}/{issue}/comments/{comment}/`,
      `${base}/{issue}/notes/{comment}/`,
    ]),
    { PUT: OWN_ACTIVITY, DELETE: { none: "one's own comment" } },
  ),
  [`DELETE ${PROJECT}/events/{event}/`]: ["deletion.request"],
  [`DELETE ${ORG}/user-data/`]: ["deletion.request"],
  ...forEach([`${ORG}/releases/`, `${PROJECT}/releases/`], { POST: ["release.create", "release.edit"] }),
  ...forEach([`${ORG}/releases/{release}/`, `${PROJECT}/releases/{release}/`], {
    PUT: ["release.edit"],
    DELETE: ["release.delete"],
  }),
  ...forEach([`${ORG}/releases/{release}/deploys/`, `${PROJECT}/releases/{release}/deploys/`], {
    POST: ["deploy.create"],
  }),
  ...forEach([`${ORG}/releases/{release}/files/`, `${PROJECT}/releases/{release}/files/`], { POST: ["upload.create"] }),
  ...forEach([`${ORG}/releases/{release}/files/{file}/`, `${PROJECT}/releases/{release}/files/{file}/`], {
    DELETE: ["upload.delete"],
  }),
  [`POST ${ORG}/chunk-upload/`]: UPLOAD_PART,
  [`POST ${ORG}/artifactbundle/assemble/`]: ["upload.create"],
  [`POST ${ORG}/releases/{release}/assemble/`]: ["upload.create"],
  [`POST ${PROJECT}/files/difs/assemble/`]: NO_CHANGE,
  [`POST ${PROJECT}/files/dsyms/`]: NO_CHANGE,
  [`POST ${PROJECT}/files/proguard-artifact-releases/`]: NO_CHANGE,
  [`POST ${PROJECT}/reprocessing/`]: NO_CHANGE,
  [`POST ${PROJECT}/sourcemaps/doctor/`]: NO_CHANGE,
  [`POST ${ORG}/code-mappings/bulk/`]: ["project.edit"],
  [`POST ${ORG}/repos/`]: ["repository.create"],
  [`PUT ${ORG}/repos/{repository}/`]: ["repository.edit"],
  [`DELETE ${ORG}/repos/{repository}/`]: ["repository.delete"],
};

function forEach(paths: readonly string[], methods: Readonly<Record<string, Audited>>): Record<string, Audited> {
  return Object.fromEntries(
    paths.flatMap((path) => Object.entries(methods).map(([method, audited]) => [`${method} ${path}`, audited])),
  );
}

/** Actions of which a change that is done adds one to the audit log; empty: it declares why it adds none. */
export function findAudited({ asked = "", method, body }: Visit): readonly AuditAction[] {
  const intent = body && !(body instanceof FormData) && "intent" in body ? String(body.intent) : "";
  const route = asked.length > 1 ? asked.replace(/\/$/, "") : asked;
  const audited = asked.startsWith(`${method} `) ? ENDPOINT_WRITES[asked] : FORMS[route]?.[intent];
  return audited && "none" in audited ? [] : (audited ?? []);
}
