import { getJson, send, sendEnvelope, waitFor } from "./api.ts";
import { signIn } from "./browse.ts";
import { makeError } from "./make-event.ts";
import { makeProfileEnvelope } from "./make-profile.ts";
import { makeProject } from "./make-project.ts";
import type { TestServer } from "./start-server.ts";
import { makeArtifactBundle } from "./upload-client.ts";
import { uploadMaps } from "./upload-maps.ts";

/** A project with something of everything, and what each of it is called. */
export interface FurnishedProject {
  projectId: string;
  dsn: string;
  slug: string;
  /** In every text of the project that no address names. */
  word: string;
  version: string;
  issueId: string;
  shortId: string;
  eventId: string;
  keyId: string;
  ruleId: string;
  publicKey: string;
  /** Of the attachment of the event, as its address names it. */
  item: string;
  /** Of the uploaded bundle. */
  uploadId: string;
  /** Of one that the test may delete. */
  spareUploadId: string;
  fileId: string;
  debugId: string;
  monitorSlug: string;
  /** Of a transaction and the event. */
  traceId: string;
  profilerId: string;
  /** Of what a user said about the event. */
  feedbackId: string;
  uptimeId: string;
  metricId: string;
  /** Of an environment that nothing has. */
  silenceId: string;
}

export async function furnishProject(
  server: TestServer,
  { slug, word, version }: { slug: string; word: string; version: string },
): Promise<FurnishedProject> {
  const project = await makeProject(server, slug);
  const path = `/projects/default/${slug}`;
  const sent = async (method: "PUT" | "POST", at: string, body: unknown) => {
    const response = await send(server, method, at, body);
    if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  await sent("PUT", `${path}/`, { name: `The ${word} project`, allowedDomains: ["*", `${word}.example`] });
  const key = (await sent("POST", `${path}/keys/`, { name: `${word} key` })) as { id: string; public: string };
  const rule = (await sent("POST", `${path}/rules/`, {
    name: `${word} rule`,
    conditions: [{ id: "culprit.rules.conditions.ResolvedCondition" }],
    filters: [{ id: "culprit.rules.filters.SearchFilter", query: `message:${word}` }],
    actions: [{ id: "culprit.rules.actions.AssigneeAction" }],
    frequency: 5,
  })) as { id: string };
  await sent("POST", "/organizations/default/releases/", {
    version,
    projects: [slug],
    url: `https://${word}.example/release`,
    commits: [
      { id: `${word}123`, message: `Mend the ${word}`, author_name: word, author_email: `${word}@example.com` },
    ],
  });
  const release = `/organizations/default/releases/${encodeURIComponent(version)}/`;
  await sent("POST", `${release}deploys/`, { environment: `${word}-live`, name: `${word} deploy` });
  // Before the event: nothing is mapped again later.
  const debugId = crypto.randomUUID();
  for (const bundle of [makeArtifactBundle(), makeArtifactBundle({ debugId })])
    await uploadMaps(server, bundle, { projects: [slug], version });

  const eventId = crypto.randomUUID().replaceAll("-", "");
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const trace = { trace_id: traceId, span_id: traceId.slice(0, 16), op: "http.server" };
  const monitorSlug = `monitor-${word}`;
  const error = makeError(word, {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    release: version,
    environment: `${word}-live`,
    user: { id: word, email: `${word}@example.com` },
    tags: { checkout: word },
    contexts: { trace },
  });
  const now = Date.now() / 1000;
  const transaction = { transaction: `GET /${word}`, start_timestamp: now - 1, timestamp: now, contexts: { trace } };
  const session = { sid: crypto.randomUUID(), init: true, status: "ok", started: new Date().toISOString() };
  const attrs = { release: version, environment: `${word}-live` };
  const items: Array<[header: object, body: string]> = [
    [{ type: "event" }, JSON.stringify(error)],
    [{ type: "attachment", filename: `${word}.txt`, length: word.length }, word],
    [{ type: "session" }, JSON.stringify({ ...session, attrs })],
    [{ type: "check_in" }, JSON.stringify({ check_in_id: eventId, monitor_slug: monitorSlug, status: "ok" })],
  ];
  const lines = items.flatMap(([header, body]) => [JSON.stringify(header), body]);
  const envelope = `${[JSON.stringify({ event_id: eventId }), ...lines].join("\n")}\n`;
  const answer = await sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  const header = JSON.stringify({ event_id: crypto.randomUUID().replaceAll("-", "") });
  const second = `${header}\n{"type":"transaction"}\n${JSON.stringify(transaction)}\n`;
  await sendEnvelope({ url: server.url, dsn: project.dsn }, second);
  const contexts = { feedback: { message: `The ${word} is broken`, name: word, associated_event_id: eventId } };
  const said = JSON.stringify({ event_id: crypto.randomUUID().replaceAll("-", ""), contexts });
  await sendEnvelope({ url: server.url, dsn: project.dsn }, `{}\n{"type":"feedback"}\n${said}\n`);
  if (answer.status !== 200) throw new Error(`the envelope was answered ${answer.status}`);

  const { groupID: issueId } = await waitFor("the event", () =>
    getJson<{ groupID: string }>(server, `${path}/events/${eventId}/`),
  );
  const { shortId } = await getJson<{ shortId: string }>(server, `/issues/${issueId}/`);
  await waitFor("the monitor", async () => {
    const monitors = await getJson<unknown[]>(server, `/organizations/default/monitors/?project=${slug}`);
    return monitors.length === 1;
  });
  const files = await getJson<Array<{ id: string }>>(server, `${release}files/`);
  const fileId = files[0]?.id ?? "";
  const owner = await signIn(server);
  const profilerId = crypto.randomUUID().replaceAll("-", "");
  await sendEnvelope({ url: server.url, dsn: project.dsn }, makeProfileEnvelope(profilerId, word));
  await waitFor("the profile", async () => (await owner.open(`/events/${profilerId}`)).html.includes(word));
  await waitFor("the trace", async () => (await owner.open(`/traces/${traceId}`)).html.includes(`GET /${word}`));
  const item = await waitFor("the attachment", async () => {
    const { html } = await owner.open(`/issues/${issueId}/events/${eventId}`);
    return new RegExp(`/attachments/${eventId}/(\\d+-\\d+)`).exec(html)?.[1];
  });
  const feedbackId = await waitFor("the feedback", async () => {
    const { html } = await owner.open(`/feedback?project=${slug}`);
    return /\/feedback\/(\d+)/.exec(html)?.[1];
  });
  await waitFor("the feedback to know its issue", async () => {
    const { html } = await owner.open(`/feedback/${feedbackId}`);
    return html.includes(`/issues/${issueId}`);
  });
  const address = { name: word, address: `https://${word}.example/`, interval: "86400", timeout: "1000" };
  const made = await owner.post("/uptime/new", { ...address, project: slug });
  const uptimeId = /\/uptime\/(\d+)/.exec(made.url)?.[1] ?? "";
  await owner.post(`/uptime/${uptimeId}`, { intent: "pause" });
  const watched = await owner.post("/metric-monitors/new", {
    ...{ intent: "save", name: word, project: slug, measure: "errors:count()", query: word },
    ...{ windowMinutes: "60", comparison: "none", direction: "above", critical: "1000000" },
  });
  const metricId = /\/metric-monitors\/(\d+)/.exec(watched.url)?.[1] ?? "";
  await owner.post(`/metric-monitors/${metricId}`, { intent: "pause" });
  const silenced = await send(server, "POST", `/projects/default/${slug}/silences/`, {
    minutes: 60,
    environment: `${word}-quiet`,
    reason: word,
  });
  const silenceId = ((await silenced.json()) as { id: string }).id;
  return {
    projectId: project.id,
    dsn: project.dsn,
    slug,
    word,
    version,
    issueId,
    shortId,
    eventId,
    keyId: key.id,
    ruleId: rule.id,
    publicKey: key.public,
    item,
    uploadId: toUploadId(fileId),
    spareUploadId: toUploadId(files.at(-1)?.id ?? ""),
    fileId,
    debugId,
    monitorSlug,
    traceId,
    profilerId,
    feedbackId,
    uptimeId,
    metricId,
    silenceId,
  };
}

function toUploadId(fileId: string): string {
  return fileId.split(".")[0] ?? "";
}
