import { send, sendEnvelope, waitFor } from "./api.ts";
import { signIn } from "./browse.ts";
import { createProject, type TestProject } from "./browser-test.ts";
import { makeError } from "./make-event.ts";
import { makeProfileEnvelope } from "./make-profile.ts";
import type { TestServer } from "./start-server.ts";

export interface ListedPage {
  name: string;
  path: string;
  /** What a browser must be answered; 200 unless said otherwise. */
  status?: number;
}

/** Every page of someone signed in, full and empty, on a healthy server. `project` gets the events that fill them. */
export async function listEveryPage(server: TestServer, project: TestProject): Promise<ListedPage[]> {
  const empty = await createProject(server, `empty-${project.slug}`);
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const [eventId, , , secondId] = await project.store(
    makeError("Long", {
      level: "fatal",
      transaction: `GET /${"a-very-long-segment/".repeat(8)}`,
      environment: "production-with-a-long-name",
      release: `shop@${"1.2.3-canary.".repeat(5)}4`,
      tags: { [`key-${"x".repeat(30)}`]: "v".repeat(190), checkout: "express" },
      message: `It could not be done: ${"https://shop.example/".padEnd(300, "0123456789")}`,
      contexts: { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } },
      extra: { nested: { list: [1, 2, { deep: "y".repeat(300) }] }, password: "hunter2" },
      modules: { react: "19.3.1", "react-dom": "19.3.1" },
    }),
    makeError("Short", { level: "warning", user: { id: "2", username: "grace" } }),
    makeError("Message", { exception: undefined, level: "info", message: "the disk is nearly full" }),
    makeError("Long", { level: "fatal", tags: { checkout: "slow" }, user: { id: "3", email: "lena@example.com" } }),
    makeError("Wide", {
      exception: { values: [{ type: "WideError", value: `The ${"very ".repeat(30)}long answer was not understood` }] },
    }),
  );
  const profilerId = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope({ url: server.url, dsn: project.dsn }, makeProfileEnvelope(profilerId));
  const visitor = await signIn(server);
  await waitFor("the profile", async () => (await visitor.open(`/events/${profilerId}`)).status === 200);
  const issue = `/issues/${project.slug}-1`;
  // The page of a person's day has a row with a long title.
  const found = await send(server, "PUT", `/projects/default/${project.slug}/issues/?query=Wide`, {
    assignedTo: server.owner.email,
  });
  if (!found.ok) throw new Error(await found.text());
  return [
    { name: "issues", path: `/issues?project=${project.slug}` },
    { name: "issues, none yet", path: `/issues?project=${empty.slug}` },
    { name: "issues, no match", path: `/issues?project=${project.slug}&q=nothing+like+this+is%3Awrong` },
    { name: "my day", path: "/day" },
    { name: "monitors", path: "/crons" },
    { name: "monitors, none", path: `/crons?project=${empty.slug}` },
    { name: "new monitor", path: "/crons/new" },
    { name: "monitor not found", path: `/crons/${project.slug}/none`, status: 404 },
    { name: "issue", path: issue },
    { name: "issue, whole stack", path: `${issue}?stack=full&order=oldest` },
    { name: "issue, raw stack", path: `${issue}?stack=raw` },
    { name: "issue, of a message", path: `/issues/${project.slug}-3` },
    { name: "issue, filter without events", path: `${issue}?environment=nowhere` },
    { name: "events of an issue", path: `${issue}/events` },
    { name: "events of an issue, no match", path: `${issue}/events?tag=checkout%3Anever` },
    { name: "events of an issue, a search not understood", path: `${issue}/events?q=nothing%3Ahere` },
    { name: "events of an issue, one to be compared", path: `${issue}/events?with=${eventId}` },
    { name: "similar issues", path: `${issue}/similar` },
    { name: "split of an issue", path: `${issue}/split` },
    { name: "split of an issue, preview", path: `${issue}/split?by=release` },
    { name: "two events", path: `${issue}/compare?left=${eventId}&right=${secondId}` },
    { name: "two events, all", path: `${issue}/compare?left=${eventId}&right=${secondId}&show=all` },
    { name: "links of an issue for strangers", path: `${issue}/share` },
    { name: "tags of an issue", path: `${issue}/tags` },
    { name: "tags of an issue, none", path: `${issue}/tags?tag=checkout%3Anever` },
    { name: "event", path: `${issue}/events/${eventId}` },
    { name: "timeline", path: `/events/${eventId}/timeline` },
    { name: "timeline as a list", path: `/events/${eventId}/timeline?view=list` },
    { name: "timeline not found", path: `/events/${"0".repeat(32)}/timeline`, status: 404 },
    { name: "profile", path: `/events/${profilerId}` },
    { name: "profile, no sample in this time", path: `/events/${profilerId}?from=1&to=2` },
    { name: "trace of an error alone", path: `/traces/${traceId}` },
    { name: "trace not found", path: "/traces/1af7651916cd43dd8448eb211c80319c", status: 404 },
    { name: "traces", path: "/traces?range=30d" },
    { name: "traces, none yet", path: `/traces?project=${empty.slug}` },
    {
      name: "traces, of what is selected",
      path: `/traces?view=traces&selection=0-${Date.now() + 3_600_000}-1-900000000`,
    },
    { name: "traces, groups", path: "/traces?view=aggregates&by=span.group&by=release" },
    { name: "traces, attributes", path: "/traces?view=attributes" },
    { name: "traces, a search not understood", path: "/traces?q=is%3Aunresolved" },
    { name: "logs, none yet", path: `/logs?project=${empty.slug}` },
    { name: "logs, a search not understood", path: "/logs?q=is%3Anew" },
    { name: "uptime, no match", path: "/uptime?q=nothing+like+this" },
    { name: "a new uptime monitor", path: `/uptime/new?project=${project.slug}` },
    { name: "public status page, settings", path: `/projects/${project.slug}/status-page` },
    { name: "public status page not found", path: "/status/nothing-here", status: 404 },
    { name: "uptime monitor not found", path: "/uptime/999999999", status: 404 },
    { name: "metric monitors, none matches", path: "/metric-monitors?q=nothing+like+this" },
    { name: "a new metric monitor", path: `/metric-monitors/new?project=${project.slug}` },
    { name: "metric monitor not found", path: "/metric-monitors/999999999", status: 404 },
    { name: "feedback, none yet", path: `/feedback?project=${empty.slug}` },
    { name: "feedback, no match", path: "/feedback?q=nothing+like+this&tab=spam" },
    { name: "feedback, a search not understood", path: "/feedback?q=nothing%3Ahere" },
    { name: "feedback not found", path: "/feedback/999999999", status: 404 },
    { name: "performance, none yet", path: `/performance?project=${empty.slug}` },
    { name: "performance, web vitals", path: "/performance?view=vitals&range=30d" },
    { name: "transaction, none", path: `/performance/transaction?project=${empty.slug}&name=none` },
    { name: "alerts", path: "/alerts" },
    { name: "alerts, none matches", path: "/alerts?q=nothing+like+this" },
    { name: "new alert rule", path: `/alerts/new?project=${project.slug}` },
    { name: "export and import of alerts", path: "/alerts/file" },
    { name: "why an alert told", path: "/alerts/why" },
    { name: "silences", path: "/alerts/silences" },
    { name: "silence not found", path: "/alerts/silences/999999", status: 404 },
    { name: "alert rule not found", path: "/alerts/999999", status: 404 },
    { name: "releases", path: `/releases?project=${project.slug}` },
    { name: "releases, no match", path: "/releases?q=nothing+like+this" },
    ...["issues", "commits", "files", "deploys", "compare"].map((tab) => ({
      name: `release, ${tab}`,
      path: `/releases/${encodeURIComponent(`shop@${"1.2.3-canary.".repeat(5)}4`)}/${tab}`,
    })),
    { name: "release not found", path: "/releases/nobody", status: 404 },
    { name: "projects", path: "/projects" },
    { name: "new project", path: "/projects/new" },
    { name: "projects, no match", path: "/projects?q=nothing+like+this" },
    { name: "project", path: `/projects/${project.slug}` },
    { name: "project, no such environment", path: `/projects/${project.slug}?environment=nowhere&period=1d&top=new` },
    { name: "project, set-up", path: `/projects/${project.slug}/set-up` },
    { name: "project, waiting", path: `/projects/${empty.slug}/set-up?platform=react-router` },
    { name: "source maps", path: `/projects/${project.slug}/source-maps?tool=react-router` },
    { name: "source maps, nothing", path: `/projects/${empty.slug}/source-maps?release=none` },
    { name: "project settings", path: `/projects/${project.slug}/settings` },
    { name: "what arrived", path: `/arrived?project=${project.slug}` },
    { name: "what arrived, nothing", path: `/arrived?project=${empty.slug}` },
    { name: "settings", path: "/settings" },
    { name: "privacy", path: `/projects/${project.slug}/privacy` },
    { name: "filters", path: `/projects/${project.slug}/filters` },
    { name: "limits", path: `/projects/${project.slug}/limits` },
    { name: "limits of the server", path: "/settings/limits" },
    { name: "owners", path: `/projects/${project.slug}/owners` },
    { name: "notifications", path: `/projects/${project.slug}/notifications` },
    { name: "grouping", path: `/projects/${project.slug}/grouping` },
    { name: "background jobs", path: "/settings/jobs" },
    { name: "storage", path: "/settings/storage" },
    { name: "audit log", path: "/settings/audit?check=on" },
    { name: "audit log, nothing found", path: "/settings/audit?q=actor%3Anobody-has-this-name" },
    { name: "deletions", path: "/settings/deletions" },
    { name: "saved views", path: "/views" },
    { name: "tokens", path: "/settings/tokens" },
    { name: "members", path: "/settings/members" },
    { name: "members, nobody matches", path: "/settings/members?q=nobody+like+this" },
    { name: "member", path: "/settings/members/1" },
    { name: "invitations", path: "/settings/invitations" },
    { name: "teams", path: "/settings/teams" },
    { name: "people of a project", path: `/projects/${project.slug}/people` },
    { name: "channels", path: "/settings/channels" },
    { name: "new channel, kinds", path: "/settings/channels/new" },
    { name: "new channel", path: "/settings/channels/new?kind=webhook" },
    { name: "delivery", path: "/settings/delivery" },
    { name: "locations", path: "/settings/locations" },
    { name: "repositories", path: "/settings/repositories" },
    { name: "not found", path: "/no/such/page", status: 404 },
    { name: "event not found", path: `/events/${"0".repeat(32)}`, status: 404 },
  ];
}
