import { makeZip } from "../../app/symbolicate/fixtures/make-zip.ts";
import type { FurnishedProject } from "./furnish-project.ts";
import { sha1 } from "./upload-client.ts";

// What somebody who may see one project only asks for, at every page and every endpoint.

/** One request of somebody who may see one project only. */
export interface Visit {
  method: string;
  /** Path and query. */
  path: string;
  body?: Record<string, string> | FormData | object;
  /** What it must be answered when it names things of the other project; 404 unless said otherwise. */
  foreign?: number;
  /** The route, or the method and path of the endpoint, that is asked for. */
  asked?: string;
  /** Sent by nobody: it would end the session. */
  isAnonymous?: true;
}
/** Visits that name things of the project `of`, in places of the viewer's `own` project where there are such places. */
export type Visits = (of: FurnishedProject, own: FurnishedProject) => Visit[];

export const get = (path: string, foreign?: number): Visit => ({ method: "GET", path, ...(foreign && { foreign }) });
export const post = (path: string, body: Record<string, string>, foreign?: number): Visit => ({
  method: "POST",
  path,
  body,
  ...(foreign && { foreign }),
});
const NO_INVITATION = `/invitation/${"x".repeat(43)}`;
const NO_EMAIL_CHANGE = `/change-email/${"x".repeat(43)}`;
const NO_RESET = `/reset-password/${"x".repeat(43)}`;
/** Checked once a day: the first check of an address that nobody has comes to nothing. */
/** A monitor of a figure. */
const toWatched = (project: string, name: string) => ({
  ...{ project, name, dataset: "errors", figure: "count()", query: "", environment: null, windowMinutes: 60 },
  ...{ comparison: "none", direction: "above", critical: 1_000_000, warning: null, recovery: null },
});
const toWatchFile = (project: string, name: string) =>
  JSON.stringify({ format: "culprit-watch", version: 1, metrics: [toWatched(project, `${name} in a file`)] });
const METRIC = {
  measure: "errors:count()",
  windowMinutes: "60",
  comparison: "none",
  direction: "above",
  critical: "1000000",
};
const METRIC_ALERT = {
  aggregate: "count()",
  dataset: "events",
  timeWindow: 60,
  thresholdType: 0,
  triggers: [{ label: "critical", alertThreshold: 1_000_000, actions: [] }],
};
const UPTIME = { address: "https://shop.example/", interval: "86400", timeout: "1000" };
const release = ({ version }: FurnishedProject) => encodeURIComponent(version);

const ALERT_FORM = {
  intent: "save",
  name: "New ones",
  trigger: "new",
  match: "all",
  conditions: "",
  action: "assignee",
  frequency: "30",
};

/** Every address of the pages. What lists names nothing, and leaves the other project out. */
const NO_ACT = `/act/2.1.resolve.99999999999999.${"x".repeat(43)}`;

export const PAGES: Record<string, Visits> = {
  "/": () => [get("/", 302)],
  "/set-up": () => [get("/set-up", 302), { ...post("/set-up", {}, 302), isAnonymous: true }],
  "/sign-in": () => [get("/sign-in", 302), { ...post("/sign-in", {}, 400), isAnonymous: true }],
  "/sign-in/code": () => [get("/sign-in/code", 302), { ...post("/sign-in/code", {}, 302), isAnonymous: true }],
  "/sign-in/passkey": () => [get("/sign-in/passkey", 302), { ...post("/sign-in/passkey", {}, 409), isAnonymous: true }],
  "/sign-in/with/:provider": (of, own) => (of === own ? [] : [get("/sign-in/with/99")]),
  "/sign-in/callback/:provider": () => [get("/sign-in/callback/99?code=x", 400)],
  "/second-factor": () => [
    get("/second-factor", 200),
    post("/second-factor", { intent: "begin-factor", confirm: "wrong" }, 400),
  ],
  // Links that nobody made.
  "/invitation/:token": (of, own) =>
    of === own ? [] : [get(NO_INVITATION), { ...post(NO_INVITATION, {}), isAnonymous: true }],
  "/status/:page": (of, own) => (of === own ? [] : [get("/status/nothing-here")]),
  "/share/issue/:token": (of, own) => (of === own ? [] : [get(`/share/issue/${"x".repeat(43)}`)]),
  "/act/:token": (of, own) => (of === own ? [] : [get(NO_ACT), { ...post(NO_ACT, {}), isAnonymous: true }]),
  "/reset-password": () => [get("/reset-password", 200), { ...post("/reset-password", {}, 400), isAnonymous: true }],
  "/reset-password/:token": (of, own) =>
    of === own ? [] : [get(NO_RESET), { ...post(NO_RESET, {}), isAnonymous: true }],
  "/change-email/:token": (of, own) =>
    of === own ? [] : [get(NO_EMAIL_CHANGE), { ...post(NO_EMAIL_CHANGE, {}), isAnonymous: true }],
  "/sign-out": () => [get("/sign-out", 302), { ...post("/sign-out", {}, 302), isAnonymous: true }],
  "/theme": () => [get("/theme", 302), post("/theme", { theme: "dark" }, 302)],
  "/error-feedback": ({ eventId }) => [
    get("/error-feedback", 302),
    post("/error-feedback", { message: "It broke", eventId }, 303),
  ],
  "/orgredirect/organizations/:org/settings/auth-tokens": () => [
    get("/orgredirect/organizations/default/settings/auth-tokens", 302),
  ],
  "/organizations/:org/*": (of) => [
    get(`/organizations/default?project=${of.projectId}`, 302),
    get(`/organizations/default/issues/${of.shortId}`, 302),
    get(`/organizations/default/issues/?project=${of.projectId}`, 302),
    get(`/organizations/default/projects/${of.slug}`, 302),
    get(`/organizations/default/releases/${release(of)}`, 302),
    get(`/organizations/default/explore/traces/trace/${of.traceId}/`, 302),
    get(`/organizations/default/explore/logs/?project=${of.projectId}`, 302),
  ],
  "/views/counts": () => [get("/views/counts?list=issues", 200)],
  "/views": ({ slug }) => [
    get("/views", 200),
    post(
      "/views",
      { intent: "save", list: "issues", name: "Of others", query: `project=${slug}`, isShared: "on" },
      400,
    ),
    post("/views", { intent: "save", list: "logs", name: "Of others", query: `q=project:${slug}` }, 400),
  ],
  "/live": () => [get("/live", 200)],
  "/events/:eventId/json": ({ eventId }) => [get(`/events/${eventId}/json`)],
  "/find": (of) => [
    get("/find?text=cart", 200),
    get(`/find?text=${of.word}`, 200),
    get(`/find?text=${of.shortId}`, 200),
    get(`/find?text=${of.eventId}`, 200),
    get(`/find?text=${release(of)}`, 200),
  ],
  "/issues/:issueId.md/": (of) => [get(`/issues/${of.issueId}.md`), get(`/issues/${of.shortId}.md`)],
  "/issues/:issueId/compare.md": (of, own) => [
    get(`/issues/${of.issueId}/compare.md?left=${of.eventId}&right=${own.eventId}`),
    get(`/issues/${own.issueId}/compare.md?left=${own.eventId}&right=${of.eventId}`),
  ],
  "/issues/:issueId/events/:eventId.md": (of, own) => [
    get(`/issues/${of.issueId}/events/${of.eventId}.md`),
    get(`/issues/${own.issueId}/events/${of.eventId}.md`),
  ],
  "/events/:eventId.md": ({ eventId }) => [get(`/events/${eventId}.md`)],
  "/events/:eventId/timeline": ({ eventId }) => [get(`/events/${eventId}/timeline`)],
  "/events/:eventId/timeline.md": ({ eventId }) => [get(`/events/${eventId}/timeline.md`)],
  "/events/:eventId/logs": ({ eventId, word }) => [
    get(`/events/${eventId}/logs`),
    get(`/events/${eventId}/logs?q=${word}`),
  ],
  "/events/:eventId/timeline/lanes": ({ eventId }) => [get(`/events/${eventId}/timeline/lanes`)],
  "/releases/:version.md": (of) => [get(`/releases/${release(of)}.md`)],
  "/traces/:traceId.md": ({ traceId }) => [get(`/traces/${traceId}.md`)],
  "/traces/:traceId/rows": ({ traceId }) => [get(`/traces/${traceId}/rows`)],
  "/traces": ({ traceId, slug }) => [
    get(`/traces?q=trace:${traceId}`, 200),
    get(`/traces?project=${slug}&view=aggregates&by=project`, 200),
    get(`/traces?project=${slug}&view=attributes`, 200),
  ],
  "/traces/:traceId": ({ traceId }) => [
    get(`/traces/${traceId}`),
    get(`/traces/${traceId}?view=logs`),
    get(`/traces/${traceId}?view=flame`),
  ],
  "/logs/lines": ({ slug, traceId }) => [
    get("/logs/lines", 200),
    get(`/logs/lines?project=${slug}`, 200),
    get(`/logs/lines?q=trace:${traceId}`, 200),
  ],
  "/logs/tail": ({ slug, traceId }) => [
    get("/logs/tail", 200),
    get(`/logs/tail?project=${slug}`, 400),
    get(`/logs/tail?q=trace:${traceId}`, 200),
  ],
  "/uptime": ({ slug, word }) => [get("/uptime", 200), get(`/uptime?project=${slug}&q=${word}`, 200)],
  "/uptime/new": ({ slug, word }) => [
    get(`/uptime/new?project=${slug}`, 200),
    post("/uptime/new", { ...UPTIME, name: word, project: slug }, 400),
  ],
  "/uptime/:monitor": ({ uptimeId, word }) => [
    get(`/uptime/${uptimeId}`),
    post(`/uptime/${uptimeId}`, { ...UPTIME, intent: "save", name: word }),
    post(`/uptime/${uptimeId}`, { intent: "resume" }),
    post(`/uptime/${uptimeId}`, { intent: "pause" }),
  ],
  "/metric-monitors": (of, own) => [
    get("/metric-monitors", 200),
    get(`/metric-monitors?project=${of.slug}&q=${of.word}`, 200),
    // The own one is asked for later.
    ...(of === own ? [] : [post("/metric-monitors", { intent: "delete", monitor: of.metricId })]),
    post("/metric-monitors", { ...METRIC, intent: "restore", name: of.word, project: of.slug }, 400),
  ],
  "/metric-monitors/new": ({ slug, word }) => [
    get(`/metric-monitors/new?project=${slug}`, 200),
    post("/metric-monitors/new", { ...METRIC, intent: "save", name: word, project: slug }, 400),
    post("/metric-monitors/new", { ...METRIC, intent: "preview", name: word, project: slug }, 400),
  ],
  "/metric-monitors/:monitor": ({ metricId, word }) => [
    get(`/metric-monitors/${metricId}`),
    post(`/metric-monitors/${metricId}`, { ...METRIC, intent: "save", name: word }),
    post(`/metric-monitors/${metricId}`, { ...METRIC, intent: "preview", name: word }),
    post(`/metric-monitors/${metricId}`, { intent: "resume" }),
    post(`/metric-monitors/${metricId}`, { intent: "pause" }),
  ],
  "/feedback/:feedbackId?": ({ slug, word, feedbackId }) => [
    get("/feedback", 200),
    get(`/feedback?project=${slug}&tab=resolved`, 200),
    get(`/feedback?q=${word}`, 200),
    get(`/feedback/${feedbackId}`),
    post("/feedback", { intent: "resolve", feedback: feedbackId }, 200),
    post(`/feedback/${feedbackId}`, { intent: "assign", feedback: feedbackId, to: "me" }),
    post("/feedback", { intent: "undo", previous: `${feedbackId}:spam:1` }, 200),
  ],
  "/performance": ({ slug }) => [
    get("/performance", 200),
    get(`/performance?project=${slug}`, 200),
    get(`/performance?project=${slug}&view=vitals`, 200),
  ],
  "/performance/transaction": ({ slug }) => [get(`/performance/transaction?project=${slug}&name=GET+%2F`)],
  "/logs": ({ slug, traceId, word }) => [
    get("/logs", 200),
    get(`/logs?project=${slug}`, 200),
    get(`/logs?q=${traceId}`, 200),
    get(`/logs?q=${word}`, 200),
  ],
  "/issues/:issueId/preview": ({ issueId }) => [get(`/issues/${issueId}/preview`)],
  "/issues/:issueId/share": ({ issueId }) => [
    get(`/issues/${issueId}/share`),
    post(`/issues/${issueId}/share`, { intent: "share", for: "1h" }),
  ],
  "/issues/:issueId/state": ({ issueId }) => [get(`/issues/${issueId}/state`)],
  "/issues/:issueId/mine": ({ issueId }) => [
    get(`/issues/${issueId}/mine`, 302),
    post(`/issues/${issueId}/mine`, { intent: "bookmark" }),
  ],
  "/day": () => [get("/day", 200)],
  "/assignees": () => [get("/assignees", 200)],
  "/search-values": ({ slug, issueId }) => [
    get("/search-values?key=release", 200),
    get(`/search-values?key=release&project=${slug}`, 200),
    get("/search-values", 200),
    get("/search-values?about=logs", 200),
    get(`/search-values?about=logs&key=service&project=${slug}`, 200),
    get(`/search-values?project=${slug}`, 200),
    get(`/search-values?key=checkout&project=${slug}`, 200),
    get(`/search-values?issue=${issueId}`),
    get(`/search-values?issue=${issueId}&key=checkout`),
  ],
  "/issue-news": ({ slug }) => [get("/issue-news", 200), get(`/issue-news?project=${slug}`, 200)],
  "/attachments/:eventId/:item": ({ eventId, item }) => [get(`/attachments/${eventId}/${item}`)],
  "/issues": (of, own) => [
    get("/issues", 200),
    get(`/issues?project=${of.slug}`, 200),
    get(`/issues?q=${of.word}`, 200),
    get(`/issues?q=${of.eventId}`, 200),
    get(`/issues?q=${of.shortId}`, 200),
    get(`/issues?q=is:unresolved+checkout:express`, 200),
    post("/issues", { intent: "resolve", issue: of.issueId }, 200),
    ...(of === own ? [] : [post("/issues", { intent: "delete", issue: of.issueId }, 200)]),
    post("/issues", { intent: "undo", previous: `${of.issueId}:archived:ongoing` }, 200),
    post(`/issues?project=${of.slug}`, { intent: "archive", scope: "all-matching" }, 200),
  ],
  "/issues/mine": (of) => [
    get("/issues/mine", 302),
    post("/issues/mine", { intent: "bookmark", issue: of.issueId }, 200),
    post(`/issues/mine?project=${of.slug}`, { intent: "snooze-1h", scope: "all-matching" }, 200),
    post("/issues/mine", { intent: "undo", previous: `reading/${of.issueId};;1` }, 200),
  ],
  "/issues/:issueId": (of, own) => [
    get(`/issues/${of.issueId}`),
    get(`/issues/${of.shortId}`),
    post(`/issues/${of.issueId}`, { status: "resolved" }),
    post(`/issues/${of.shortId}`, { status: "archived", undo: "1" }),
    ...(of === own
      ? []
      : [
          post(`/issues/${of.issueId}`, { intent: "delete" }),
          post(`/issues/${of.issueId}`, { intent: "delete-event", event: of.eventId }),
          post(`/issues/${own.issueId}`, { intent: "delete-event", event: of.eventId }),
        ]),
  ],
  "/issues/:issueId/events": (of, own) => [
    get(`/issues/${of.issueId}/events`),
    get(`/issues/${own.issueId}/events?q=${of.eventId}`, 200),
    get(`/issues/${own.issueId}/events?q=${of.word}`, 200),
  ],
  "/issues/:issueId/similar": (of, own) => [
    get(`/issues/${of.issueId}/similar`),
    ...(of === own ? [] : [get(`/issues/${own.issueId}/similar?with=${of.issueId}`, 400)]),
  ],
  "/issues/:issueId/split": ({ issueId }) => [
    get(`/issues/${issueId}/split`),
    get(`/issues/${issueId}/split?by=release.package`),
    post(`/issues/${issueId}/split`, { intent: "split", by: "tags.nothing" }),
  ],
  "/issues/:issueId/compare": (of, own) => [
    get(`/issues/${of.issueId}/compare?left=${of.eventId}&right=${own.eventId}`),
    ...(of === own
      ? []
      : [
          get(`/issues/${own.issueId}/compare?left=${own.eventId}&right=${of.eventId}`),
          get(`/issues/${own.issueId}/compare?event=${of.eventId}&event=${own.eventId}`, 302),
        ]),
  ],
  "/issues/:issueId/tags": ({ issueId }) => [get(`/issues/${issueId}/tags`)],
  "/issues/:issueId/events/:eventId": (of, own) => [
    get(`/issues/${of.issueId}/events/${of.eventId}`),
    get(`/issues/${of.issueId}/events/latest`),
    get(`/issues/${own.issueId}/events/${of.eventId}`),
  ],
  "/events/:eventId": ({ eventId, profilerId }) => [
    get(`/events/${eventId}`),
    get(`/events/${profilerId}?order=total`),
  ],
  "/alerts": (of, own) => [
    get("/alerts", 200),
    ...(of === own ? [] : [post("/alerts", { intent: "delete", rule: "999999" })]),
  ],
  "/alerts/new": ({ slug, projectId }) => [
    get(`/alerts/new?project=${slug}`, 200),
    post("/alerts/new", { ...ALERT_FORM, project: projectId }, 400),
  ],
  "/alerts/file": ({ slug, word }) => [
    get("/alerts/file", 200),
    post("/alerts/file", { intent: "preview", text: toWatchFile(slug, word) }, 200),
    post("/alerts/file", { intent: "apply", text: toWatchFile(slug, word) }, 200),
  ],
  "/alerts/file/download": () => [get("/alerts/file/download", 200)],
  "/alerts/why": ({ issueId }) => [get(`/alerts/why?issue=${issueId}`, 200)],
  "/alerts/silences": ({ projectId }) => [
    get("/alerts/silences", 200),
    post("/alerts/silences", { intent: "silence", project: projectId, for: "1h" }),
  ],
  "/alerts/silences/:silence": ({ silenceId }) => [
    get(`/alerts/silences/${silenceId}`),
    post(`/alerts/silences/${silenceId}`, { intent: "resolve" }),
    post(`/alerts/silences/${silenceId}`, { intent: "end", silence: silenceId }),
  ],
  "/alerts/:rule": (of, own) => (of === own ? [] : [get("/alerts/999999"), post("/alerts/999999", ALERT_FORM)]),
  "/releases": ({ slug, word }) => [
    get("/releases", 200),
    get(`/releases?project=${slug}`, 200),
    get(`/releases?q=${word}`, 200),
  ],
  "/releases/:version/:tab?": (of, own) => [
    ...["", "/issues", "/commits", "/files", "/deploys", "/compare"].map((tab) =>
      get(`/releases/${release(of)}${tab}`),
    ),
    get(`/releases/${release(own)}/compare?with=${release(of)}`, 200),
    post(`/releases/${release(of)}`, { intent: "archive" }),
    post(`/releases/${release(of)}`, { intent: "finalize" }),
    post(`/releases/${release(of)}`, { intent: "add-deploy", environment: "live" }),
    ...(of === own ? [] : [post(`/releases/${release(own)}`, { intent: "delete-upload", upload: of.uploadId })]),
  ],
  "/projects": () => [get("/projects", 200)],
  // Who makes a project sees it: its name must not tell of the other.
  "/projects/new": () => [
    get("/projects/new", 200),
    post("/projects/new", { name: "New", slug: `page-${crypto.randomUUID().slice(0, 8)}`, platform: "node" }, 302),
  ],
  "/projects/:slug": ({ slug }) => [get(`/projects/${slug}`)],
  "/projects/:slug/set-up": ({ slug }) => [get(`/projects/${slug}/set-up`), post(`/projects/${slug}/set-up`, {})],
  "/projects/:slug/settings": ({ slug, keyId }, own) => [
    get(`/projects/${slug}/settings`),
    post(`/projects/${slug}/settings`, { intent: "origins", origins: "*" }),
    post(`/projects/${slug}/settings`, { intent: "create-key", label: "More" }),
    post(`/projects/${slug}/settings`, { intent: "fetch-source-maps" }),
    ...(slug === own.slug ? [] : [post(`/projects/${slug}/settings`, { intent: "delete-project", confirm: slug })]),
    post(`/projects/${own.slug}/settings`, { intent: "label-key", key: keyId, label: "Mine" }),
    post(`/projects/${own.slug}/settings`, { intent: "toggle-key", key: keyId }),
  ],
  "/projects/:slug/source-maps": (of, own) => [
    get(`/projects/${of.slug}/source-maps`),
    get(`/projects/${own.slug}/source-maps?release=${release(of)}`, 200),
    post(`/projects/${of.slug}/source-maps`, { upload: of.spareUploadId }),
    ...(of === own ? [] : [post(`/projects/${own.slug}/source-maps`, { upload: of.uploadId })]),
  ],
  "/projects/:slug/filters": ({ slug }) => [
    get(`/projects/${slug}/filters`),
    post(`/projects/${slug}/filters`, { intent: "lists", messages: "*Load failed*" }),
  ],
  "/projects/:slug/limits": ({ slug }) => [
    get(`/projects/${slug}/limits`),
    post(`/projects/${slug}/limits`, { intent: "set-quota", kind: "errors", period: "day", limit: "1000000" }),
    post(`/projects/${slug}/limits`, { intent: "volume", sample: "on", above: "1000", keepOneIn: "10" }),
  ],
  "/projects/:slug/status-page": ({ slug, uptimeId, word }) => [
    get(`/projects/${slug}/status-page`),
    post(`/projects/${slug}/status-page`, { intent: "save", title: word, monitor: uptimeId }),
    post(`/projects/${slug}/status-page`, { intent: "delete" }),
  ],
  "/projects/:slug/privacy": ({ slug }) => [
    get(`/projects/${slug}/privacy`),
    post(`/projects/${slug}/privacy`, {
      intent: "save",
      masksData: "on",
      usesBuiltInRules: "on",
      sensitiveKeys: "iban",
    }),
  ],
  // Nothing was filtered.
  "/projects/:slug/filters/:reason": (of, own) => (of === own ? [] : [get(`/projects/${of.slug}/filters/localhost`)]),
  "/projects/:slug/notifications": ({ slug }) => [
    get(`/projects/${slug}/notifications`),
    post(`/projects/${slug}/notifications`, { intent: "recipients", emails: "me@example.com" }),
  ],
  "/projects/:slug/grouping": ({ slug }) => [
    get(`/projects/${slug}/grouping`),
    post(`/projects/${slug}/grouping`, { intent: "save", fingerprintRules: "error.type:A -> a" }),
    post(`/projects/${slug}/grouping`, { intent: "preview", fingerprintRules: "error.type:A -> a" }),
    post(`/projects/${slug}/grouping`, { intent: "move", days: "1" }),
  ],
  "/projects/:slug/owners": ({ slug }) => [
    get(`/projects/${slug}/owners`),
    post(`/projects/${slug}/owners`, { intent: "save", text: "path:src/* #nobody" }),
    post(`/projects/${slug}/owners`, { intent: "try", text: "path:src/* #nobody" }),
  ],
  "/arrived": ({ slug }) => [get("/arrived", 200), get(`/arrived?project=${slug}`, 200)],
  "/settings": () => [
    get("/settings", 200),
    post("/settings", { intent: "password", current: "wrong", next: "wrong" }, 400),
  ],
  "/settings/sign-in/:provider": () => [
    get("/settings/sign-in/1", 403),
    post("/settings/sign-in/1", { intent: "turn-on" }, 403),
  ],
  "/settings/security": () => [
    get("/settings/security", 200),
    post("/settings/security", { intent: "turn-off-factor", code: "" }, 400),
  ],
  "/settings/sign-in": () => [
    get("/settings/sign-in", 403),
    post("/settings/sign-in", { intent: "require-second-factor" }, 403),
  ],
  "/settings/tokens": ({ slug }) => [
    get(`/settings/tokens?project=${slug}`, 200),
    post("/settings/tokens", { intent: "create", kind: "personal", name: "x", scope: "org:read", project: slug }, 200),
  ],
  "/settings/members": () => [
    get("/settings/members", 200),
    post("/settings/members", { intent: "role", member: "1", role: "viewer" }, 403),
    post("/settings/members", { intent: "rename-organization", name: "Taken over" }, 403),
  ],
  // Everybody who may read members sees who is there; projects outside of the scope are left out.
  "/settings/members/:member": () => [
    get("/settings/members/1", 200),
    post("/settings/members/1", { intent: "remove" }, 403),
  ],
  "/settings/invitations": () => [
    get("/settings/invitations", 403),
    post("/settings/invitations", { intent: "invite", role: "member" }, 403),
  ],
  "/settings/teams": () => [get("/settings/teams", 200), post("/settings/teams", { intent: "create", name: "" }, 400)],
  "/settings/teams/:team": (of, own) => [
    get("/settings/teams/alphas", 200),
    post("/settings/teams/alphas", { intent: "rename", name: "Alphas" }, 200),
    ...(of === own ? [] : [post("/settings/teams/others", { intent: "access", project: of.projectId }, 403)]),
  ],
  "/projects/:slug/people": ({ slug }) => [get(`/projects/${slug}/people`)],
  "/settings/locations": () => [
    get("/settings/locations", 403),
    post("/settings/locations", { intent: "create", name: "Frankfurt" }, 403),
  ],
  "/settings/repositories": () => [
    get("/settings/repositories", 200),
    post("/settings/repositories", { intent: "create", name: "acme/first", provider: "github" }, 200),
  ],
  "/crons": ({ slug }) => [get("/crons", 200), get(`/crons?project=${slug}`, 200)],
  "/crons/preview": () => [get("/crons/preview?type=crontab&crontab=0+2+*+*+*&timezone=UTC", 200)],
  "/crons/new": ({ slug }) => [
    get("/crons/new", 200),
    post("/crons/new", { intent: "create", project: slug, slug: `of-${slug}`, type: "crontab", crontab: "0 2 * * *" }),
  ],
  "/crons/:project/:slug": ({ slug, monitorSlug }, own) => [
    get(`/crons/${slug}/${monitorSlug}`),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "mute" }),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "unmute" }),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "pause", environment: "" }),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "resume", environment: "" }),
    post(`/crons/${slug}/${monitorSlug}`, {
      intent: "save",
      slug: monitorSlug,
      type: "crontab",
      crontab: "0 2 * * *",
      timezone: "UTC",
    }),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "switch-zone", timezone: "Europe/Berlin" }),
    post(`/crons/${slug}/${monitorSlug}`, { intent: "keep-zone" }),
    // The web API asks for one's own.
    ...(slug === own.slug ? [] : [post(`/crons/${slug}/${monitorSlug}`, { intent: "delete" })]),
  ],
  "/settings/channels": () => [get("/settings/channels", 200)],
  // A project that one does not see is not offered, and refused where somebody names it.
  "/settings/channels/new": ({ slug, projectId }, own) => [
    get(`/settings/channels/new?kind=email&project=${slug}`, 200),
    post("/settings/channels/new", {
      intent: "add",
      kind: "email",
      name: `Of ${slug}`,
      address: "me@example.com",
      project: String(projectId),
      forProject: own.slug,
    }),
  ],
  "/settings/channels/:channel": (of, own) =>
    of === own ? [] : [get("/settings/channels/99"), post("/settings/channels/99", { intent: "delete" })],
  // Messages of projects that one does not see are not there; the fallback channel is for owners and managers.
  "/settings/delivery": (of, own) => [
    get("/settings/delivery", 200),
    ...(of === own ? [] : [post("/settings/delivery", { intent: "drop", letter: "1" })]),
    post("/settings/delivery", { intent: "fallback", fallback: "1" }, 403),
  ],
  "/settings/storage": () => [get("/settings/storage", 200)],
  // For owners and managers.
  "/settings/limits": () => [
    get("/settings/limits", 403),
    post("/settings/limits", { intent: "set-quota", kind: "errors", period: "day", limit: "1000000" }, 403),
  ],
  "/settings/audit": () => [get("/settings/audit", 403)],
  "/settings/audit/export": () => [get("/settings/audit/export?format=csv", 403)],
  "/settings/deletions": ({ slug, word }) => [
    get("/settings/deletions", 200),
    get(`/settings/deletions?field=id&value=${word}`, 200),
    get(`/settings/deletions?field=id&value=${word}&project=${slug}`),
    // Nobody has sent it: nothing that other visits need goes.
    post("/settings/deletions", { intent: "delete-user", field: "id", value: "nobody", project: slug }),
  ],
  "/settings/jobs": () => [get("/settings/jobs", 200)],
};
/** Answered by other parts of this test, or by nothing. */
export const NO_PAGES = ["/api/0/*", "/*"];
/** What an endpoint that reads must be asked beside its path. */
export const QUERIES: Record<string, (of: FurnishedProject) => string> = {
  "/organizations/{organization}/stats_v2/": () => "field=sum(quantity)&groupBy=project",
  "/organizations/{organization}/events-dropped/": () => "dataset=errors",
  "/organizations/{organization}/user-data/": ({ word }) => `id=${word}`,
  "/organizations/{organization}/sessions/": () => "field=sum(session)&groupBy=project&groupBy=release",
  "/organizations/{organization}/events/": () =>
    "dataset=spans&field=trace&field=transaction&field=project&statsPeriod=30d",
  "/organizations/{organization}/events/validate/": () => "dataset=spans&field=count()&orderby=-count()",
  "/organizations/{organization}/events-stats/": () =>
    "dataset=spans&field=transaction&field=release&topEvents=5&statsPeriod=30d&interval=1d",
  "/organizations/{organization}/events-timeseries/": () =>
    "dataset=errors&field=title&field=project&topEvents=5&statsPeriod=30d&interval=1d",
  "/organizations/{organization}/trace-logs/": ({ traceId }) => `traceId=${traceId}&statsPeriod=30d`,
  "/projects/{organization}/{project}/trace-items/{item}/": ({ traceId }) => `trace_id=${traceId}`,
  "/organizations/{organization}/trace-items/attributes/": () => "itemType=spans",
  "/organizations/{organization}/trace-items/attributes/{attribute}/values/": () => "dataset=logs&statsPeriod=30d",
  "/projects/{organization}/{project}/sourcemaps/doctor/": ({ version }) => `release=${encodeURIComponent(version)}`,
};
/** No project in it: answered 400 to everybody. */
/** For owners and managers. */
export const FOR_MANAGERS: readonly string[] = [
  "GET /organizations/{organization}/audit-logs/",
  "GET /organizations/{organization}/org-auth-tokens/",
  "GET /organizations/{organization}/quotas/",
];
export const REFUSES_EVERYBODY: readonly string[] = [];

const json = (body: object, more: { query?: string; foreign?: number } = {}) => ({ body, ...more });
type Change = (
  of: FurnishedProject,
  own: FurnishedProject,
) => Array<{ body?: object; query?: string; foreign?: number; path?: string }>;
const ISSUE_CHANGE: Change = () => [json({ status: "resolved" })];
const RELEASE_CHANGE: Change = (of, own) => [
  json({ status: "archived" }),
  { path: `/organizations/default/releases/${release(own)}/`, body: { projects: [of.slug] }, foreign: 400 },
];
const DEPLOY: Change = (of, own) => [
  json({ environment: "live" }),
  {
    path: `/organizations/default/releases/${release(own)}/deploys/`,
    body: { environment: "live", projects: [of.slug] },
    foreign: 400,
  },
];
const FILE: Change = () => {
  const form = new FormData();
  form.append("file", new Blob(["f()"]), "app.js");
  form.append("name", `~/${crypto.randomUUID()}.js`);
  return [{ body: form }];
};
const NOTHING: Change = () => [{}];
/** What the other visits need is not deleted. */
const FOREIGN_ONLY: Change = (of, own) => (of === own ? [] : [{}]);
const MAPPING = Buffer.from("com.example.Cart -> a.a:\n");
const CHUNKS = { checksum: "a".repeat(40), chunks: ["a".repeat(40)] };

/** Every endpoint that is not a GET: what to send. Its path is filled in. */
export const CHANGES: Record<string, Change> = {
  "POST /organizations/{organization}/monitors/": ({ slug }) => [
    json(
      {
        project: slug,
        name: `api-${crypto.randomUUID().slice(0, 8)}`,
        config: { schedule_type: "crontab", schedule: "0 2 * * *" },
      },
      { foreign: 404 },
    ),
  ],
  "PUT /organizations/{organization}/monitors/{monitor}/": () => [json({ is_muted: true })],
  "DELETE /organizations/{organization}/monitors/{monitor}/": FOREIGN_ONLY,
  "PUT /projects/{organization}/{project}/monitors/{monitor}/": () => [json({ status: "disabled" })],
  "DELETE /projects/{organization}/{project}/monitors/{monitor}/": FOREIGN_ONLY,
  "POST /organizations/{organization}/projects/": () => [
    json({ name: `api-${crypto.randomUUID().slice(0, 8)}` }, { foreign: 201 }),
  ],
  "PUT /projects/{organization}/{project}/": () => [json({ platform: "node" })],
  "PUT /projects/{organization}/{project}/filters/{filter}/": () => [json({ active: true })],
  "PUT /projects/{organization}/{project}/quotas/": () => [json({ quotas: [] })],
  "PUT /projects/{organization}/{project}/volume/": () => [json({ spikeProtection: true })],
  "POST /organizations/{organization}/uptime-locations/": () => [json({ name: "Frankfurt" }, { foreign: 403 })],
  "DELETE /organizations/{organization}/uptime-locations/{location}/": () => [{ foreign: 403 }],
  "POST /organizations/{organization}/uptime-location-checks/": () => [
    json({ listKey: null, version: null, results: [] }, { foreign: 403 }),
  ],
  "PUT /organizations/{organization}/quotas/": () => [json({ quotas: [] }, { foreign: 403 })],
  "POST /projects/{organization}/{project}/rules/": () => [
    json({
      name: "By the API",
      conditions: [{ id: "culprit.rules.conditions.ResolvedCondition" }],
      actions: [{ id: "culprit.rules.actions.AssigneeAction" }],
      frequency: 5,
    }),
  ],
  "PUT /projects/{organization}/{project}/rules/{rule}/": (of, own) => (of === own ? [] : [json({ frequency: 5 })]),
  "DELETE /projects/{organization}/{project}/rules/{rule}/": FOREIGN_ONLY,
  "POST /organizations/{organization}/alert-rules/": ({ slug, word }) => [
    json({ ...METRIC_ALERT, name: word, projects: [slug] }, { foreign: 400 }),
  ],
  "PUT /organizations/{organization}/alert-rules/{alertRule}/": () => [json({ timeWindow: 30 })],
  "DELETE /organizations/{organization}/alert-rules/{alertRule}/": FOREIGN_ONLY,
  "PUT /organizations/{organization}/watch-file/": ({ slug, word }) => [
    json({ format: "culprit-watch", version: 1, metrics: [toWatched(slug, `${word} by the API`)] }, { foreign: 200 }),
  ],
  "POST /projects/{organization}/{project}/uptime/": ({ word }) => [
    json({ name: `${word} by the API`, url: `https://${word}.example/`, intervalSeconds: 86_400, status: "disabled" }),
  ],
  "PUT /projects/{organization}/{project}/uptime/{uptime}/": () => [json({ timeoutMs: 2_000 })],
  "DELETE /projects/{organization}/{project}/uptime/{uptime}/": FOREIGN_ONLY,
  "POST /projects/{organization}/{project}/silences/": () => [json({ minutes: 1 })],
  "DELETE /projects/{organization}/{project}/silences/{silence}/": FOREIGN_ONLY,
  "PUT /projects/{organization}/{project}/ownership/": () => [json({ raw: "path:api/* #nobody" })],
  "POST /projects/{organization}/{project}/user-feedback/": ({ eventId }) => [
    json({ event_id: eventId, comments: "Sent by a tool" }),
  ],
  "POST /projects/{organization}/{project}/keys/": () => [json({ name: "More" })],
  "PUT /projects/{organization}/{project}/keys/{key}/": () => [json({ isActive: false })],
  "DELETE /projects/{organization}/{project}/keys/{key}/": NOTHING,
  "DELETE /projects/{organization}/{project}/": FOREIGN_ONLY,
  "DELETE /projects/{organization}/{project}/events/{event}/": FOREIGN_ONLY,
  "DELETE /organizations/{organization}/user-data/": ({ slug }) => [
    { query: `id=nobody&project=${slug}` },
    { query: "id=nobody", foreign: 202 },
  ],
  "DELETE /issues/{issue}/": FOREIGN_ONLY,
  "DELETE /issues/{issue}/hashes/": (of, own) => (of === own ? [] : [{ query: "id=nothing" }]),
  "DELETE /organizations/{organization}/issues/{issue}/hashes/": (of, own) =>
    of === own ? [] : [{ query: "id=nothing" }],
  "DELETE /organizations/{organization}/issues/{issue}/": FOREIGN_ONLY,
  "DELETE /organizations/{organization}/issues/": (of, own) =>
    of === own ? [] : [{ query: `id=${of.issueId}`, foreign: 204 }],
  "DELETE /projects/{organization}/{project}/issues/": (of, own) =>
    of === own
      ? []
      : [
          { query: `id=${of.issueId}` },
          { path: `/projects/default/${own.slug}/issues/`, query: `id=${of.issueId}`, foreign: 204 },
        ],
  "PUT /organizations/{organization}/issues/": ({ issueId, slug, word }) => [
    json({ status: "resolved" }, { query: `id=${issueId}`, foreign: 200 }),
    json({ status: "ignored" }, { query: "query=", foreign: 200 }),
    json({ status: "ignored" }, { query: `query=${word}`, foreign: 200 }),
    json({ status: "resolved" }, { query: `query=&project=${slug}` }),
    json({ status: "resolved" }, { query: `query=project:${slug}`, foreign: 400 }),
  ],
  "PUT /projects/{organization}/{project}/issues/": ({ issueId }, own) => [
    json({ status: "resolved" }),
    {
      path: `/projects/default/${own.slug}/issues/`,
      query: `id=${issueId}`,
      body: { status: "resolved" },
      foreign: 200,
    },
  ],
  ...Object.fromEntries(
    ["/issues", "/organizations/{organization}/issues"].flatMap((base) =>
      ["comments", "notes"].flatMap((name) => [
        [`POST ${base}/{issue}/${name}/`, () => [json({ text: "Seen" })]],
        [`PUT ${base}/{issue}/${name}/{comment}/`, (of, own) => (of === own ? [] : [json({ text: "Seen" })])],
        [`DELETE ${base}/{issue}/${name}/{comment}/`, FOREIGN_ONLY],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ["/issues", "/organizations/{organization}/issues"].flatMap((base) => [
      [
        `POST ${base}/{issue}/external-issues/`,
        ({ slug }: FurnishedProject) => [json({ webUrl: `https://tracker.example${base.slice(0, 3)}/${slug.length}` })],
      ],
      [`DELETE ${base}/{issue}/external-issues/{link}/`, FOREIGN_ONLY],
      [`POST ${base}/{issue}/acknowledge/`, FOREIGN_ONLY],
      [`DELETE ${base}/{issue}/acknowledge/`, FOREIGN_ONLY],
    ]),
  ),
  "PUT /issues/{issue}/": ISSUE_CHANGE,
  "PUT /organizations/{organization}/issues/{issue}/": ISSUE_CHANGE,
  "POST /organizations/{organization}/releases/": ({ version, slug }) => [
    json({ version, projects: [slug] }, { foreign: 400 }),
    json({ version, status: "archived", commits: [{ id: "abc", message: "Mine" }] }, { foreign: 400 }),
  ],
  "POST /projects/{organization}/{project}/releases/": ({ version }) => [json({ version })],
  "PUT /organizations/{organization}/releases/{release}/": RELEASE_CHANGE,
  "PUT /projects/{organization}/{project}/releases/{release}/": RELEASE_CHANGE,
  "POST /organizations/{organization}/releases/{release}/deploys/": DEPLOY,
  "POST /projects/{organization}/{project}/releases/{release}/deploys/": DEPLOY,
  "POST /organizations/{organization}/releases/{release}/files/": FILE,
  "POST /projects/{organization}/{project}/releases/{release}/files/": FILE,
  "DELETE /organizations/{organization}/releases/{release}/files/{file}/": NOTHING,
  "DELETE /projects/{organization}/{project}/releases/{release}/files/{file}/": NOTHING,
  "DELETE /organizations/{organization}/releases/{release}/": NOTHING,
  "DELETE /projects/{organization}/{project}/releases/{release}/": NOTHING,
  "POST /organizations/{organization}/chunk-upload/": () => {
    const form = new FormData();
    form.append("file", new Blob([MAPPING]), sha1(MAPPING));
    return [{ body: form, foreign: 200 }];
  },
  "POST /organizations/{organization}/artifactbundle/assemble/": ({ slug }) => [
    json({ ...CHUNKS, projects: [slug] }, { foreign: 400 }),
  ],
  "POST /organizations/{organization}/releases/{release}/assemble/": ({ slug }, own) => [
    json(CHUNKS),
    {
      path: `/organizations/default/releases/${release(own)}/assemble/`,
      body: { ...CHUNKS, projects: [slug] },
      foreign: 400,
    },
  ],
  "POST /projects/{organization}/{project}/files/difs/assemble/": () => [
    json({ [sha1(MAPPING)]: { name: `proguard/${crypto.randomUUID()}.txt`, chunks: [sha1(MAPPING)] } }),
  ],
  "POST /projects/{organization}/{project}/files/dsyms/": () => {
    const form = new FormData();
    const archive = makeZip([{ path: `proguard/${crypto.randomUUID()}.txt`, content: MAPPING }]);
    form.append("file", new Blob([archive as BlobPart]), "mappings.zip");
    return [{ body: form }];
  },
  "POST /projects/{organization}/{project}/files/proguard-artifact-releases/": NOTHING,
  "POST /projects/{organization}/{project}/reprocessing/": NOTHING,
  "POST /projects/{organization}/{project}/sourcemaps/doctor/": ({ debugId }) => [json({ debugIds: [debugId] })],
  "POST /organizations/{organization}/code-mappings/bulk/": ({ slug }) => [
    json({ project: slug, repository: "acme/code", mappings: [{ stackRoot: "", sourceRoot: "src" }] }),
  ],
  // Members and teams are the organization's. The caller is an admin in one team.
  "POST /organizations/{organization}/members/": () => [
    json({ email: `${crypto.randomUUID()}@example.com` }, { foreign: 403 }),
  ],
  "PUT /organizations/{organization}/members/{member}/": () => [json({ orgRole: "viewer" }, { foreign: 403 })],
  "DELETE /organizations/{organization}/members/{member}/": () => [{ foreign: 403 }],
  "POST /organizations/{organization}/members/{member}/teams/{team}/": () => [{ foreign: 201 }],
  "DELETE /organizations/{organization}/members/{member}/teams/{team}/": () => [{ foreign: 200 }],
  "POST /organizations/{organization}/teams/": () => [
    json({ slug: `t-${crypto.randomUUID().slice(0, 8)}` }, { foreign: 201 }),
  ],
  "PUT /organizations/{organization}/": () => [json({ name: "Taken over" }, { foreign: 403 })],
  "PUT /teams/{organization}/{team}/": () => [json({ name: `Alphas ${crypto.randomUUID()}` }, { foreign: 200 })],
  "PUT /teams/{organization}/{team}/rota/": () => [
    json({ members: ["999"], handover: { weekday: 1, time: "09:00", timezone: "UTC" } }, { foreign: 400 }),
  ],
  "DELETE /teams/{organization}/{team}/rota/": () => [{ path: "/teams/default/others/rota/", foreign: 403 }],
  "DELETE /teams/{organization}/{team}/": () => [{ path: "/teams/default/others/", foreign: 403 }],
  "POST /teams/{organization}/{team}/projects/": () => [
    json({ name: `team-${crypto.randomUUID().slice(0, 8)}` }, { foreign: 201 }),
  ],
  "POST /projects/{organization}/{project}/teams/{team}/": NOTHING,
  // The other visits need the team's project.
  "DELETE /projects/{organization}/{project}/teams/{team}/": (of, own) =>
    of === own ? [{ path: `/projects/default/${own.slug}/teams/others/`, foreign: 403 }] : [{}],
  // Repositories are the organization's: everybody in it sees the same.
  "POST /organizations/{organization}/repos/": () => [json({ name: `acme/${crypto.randomUUID()}` }, { foreign: 201 })],
  "PUT /organizations/{organization}/repos/{repository}/": () => [json({ status: "active" }, { foreign: 200 })],
  "DELETE /organizations/{organization}/repos/{repository}/": NOTHING,
};
