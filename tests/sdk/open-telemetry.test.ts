import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiEvent, getJson, listIssues, sumOutcomes, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { OTEL_APPS, type OtelApp } from "./otel-apps.ts";
import { hasProgram, INSTALL_TIMEOUT_MS } from "./run-toolchain.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** The variables of docs/opentelemetry.md. */
function variablesOf({ dsn, id }: MadeProject, service: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/api/${id}/integration/otlp`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-sentry-auth=sentry sentry_key=${new URL(dsn).username}`,
    OTEL_SERVICE_NAME: service,
    OTEL_RESOURCE_ATTRIBUTES: `service.version=${service}@3.0.0,deployment.environment.name=otel-test`,
  };
}

async function prepare({ language, program, versionArgument, ...app }: OtelApp): Promise<boolean> {
  const problem = hasProgram(program, versionArgument) ? await app.prepare() : `there is no ${program}`;
  if (problem !== null) console.info(`OpenTelemetry of ${language}: skipped, ${problem}`);
  return problem === null;
}

/** The latest event of the one issue with this type of exception, and how many it has. */
async function waitForException(project: MadeProject, type: string): Promise<{ count: string; event: ApiEvent }> {
  const issue = await waitFor(`an issue of ${type}`, async () =>
    (await listIssues(server, "", project.slug)).find(({ metadata }) => metadata.type === type),
  );
  return { count: issue.count, event: await getJson<ApiEvent>(server, `/issues/${issue.id}/events/latest/`) };
}

test("the exporters of Node, Python and Go send one trace of three services, and each exception once", {
  timeout: 3 * INSTALL_TIMEOUT_MS,
}, async (context) => {
  if (!(await prepare(OTEL_APPS.node))) return context.skip("OpenTelemetry of Node");
  const [hasPython, hasGo] = [await prepare(OTEL_APPS.python), await prepare(OTEL_APPS.go)];
  const project = await makeProject(server, "services");
  const traceparent = (await OTEL_APPS.node.run(variablesOf(project, "pay"))).trim();
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const inTrace = (service: string) => ({ ...variablesOf(project, service), TRACEPARENT: traceparent });
  if (hasPython) await OTEL_APPS.python.run(inTrace("stock"));
  if (hasGo) await OTEL_APPS.go.run(inTrace("ship"));

  const visitor = await signIn(server);
  const parts = [
    ...["pay", "POST /pay", "GET stock", "payment failed"],
    ...(hasPython ? ["stock", "GET /stock", "the shelf is empty"] : []),
    ...(hasGo ? ["ship", "POST /shipments"] : []),
  ];
  const traceId = traceparent.split("-")[1];
  const trace = await waitFor("the trace with all services", async () => {
    const { html } = await visitor.open(`/traces/${traceId}.md`);
    return parts.every((part) => html.includes(part)) ? html : false;
  });
  // A service further on is below the call that led to it.
  const depthOf = (name: string) =>
    trace
      .split("\n")
      .find((line) => line.includes(name))
      ?.search(/[^\s]/) ?? 0;
  for (const name of ["POST /shipments", "GET /stock"])
    if (trace.includes(name)) expect(depthOf(name), name).toBeGreaterThan(depthOf("GET stock"));

  const thrown = await waitForException(project, "RangeError");
  expect(thrown.count).toBe("1");
  expect(thrown.event).toMatchObject({ environment: "otel-test", release: { version: "pay@3.0.0" } });
  expect(JSON.stringify(thrown.event.entries)).toContain("takePayment");
  if (hasPython) {
    const { count, event } = await waitForException(project, "KeyError");
    expect(count).toBe("1");
    expect(JSON.stringify(event.entries)).toContain("count_boxes");
    expect(event.platform).toBe("python");
    await waitFor("the metric", () => sumOutcomes(server, { project: project.id, category: "trace_metric" }));
  }
  if (hasGo) {
    const { count, event } = await waitForException(project, "*errors.errorString");
    expect(count).toBe("1");
    expect(event.platform).toBe("go");
  }
  // The exceptions that came a second time, and nothing else.
  const repeats = await sumOutcomes(server, { project: project.id, reason: "event_id_seen" });
  expect(repeats).toBe(hasPython ? 2 : 1);
  expect(await sumOutcomes(server, { project: project.id, outcome: "invalid" })).toBe(repeats);
  for (const outcome of ["filtered", "rate_limited"])
    expect(await sumOutcomes(server, { project: project.id, outcome }), outcome).toBe(0);
});
