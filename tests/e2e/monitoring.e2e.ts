import { waitFor } from "../support/api.ts";
import { expect, openPage, signInByForm, test, waitForScript } from "../support/browser-test.ts";
import { type EnvelopeRecorder, type RecordedItem, recordEnvelopes } from "../support/record-envelopes.ts";
import { startProxy } from "../support/start-proxy.ts";

// What Culprit says about itself is sent to a recorder, where every item can be looked at.
test.use({ isSignedIn: false });

interface Trace {
  trace_id: string;
  span_id: string;
  parent_span_id?: string;
  op: string;
}

const traceOf = ({ payload }: RecordedItem): Trace => payload.contexts.trace;
const spanIdsOf = (item: RecordedItem): string[] =>
  [traceOf(item), ...(item.payload.spans as Trace[])].map(({ span_id }) => span_id);
const isOf = (op: string, name: string | RegExp) => (item: RecordedItem) =>
  item.type === "transaction" &&
  traceOf(item).op === op &&
  (typeof name === "string" ? item.payload.transaction === name : name.test(item.payload.transaction));

function findServerPart(recorder: EnvelopeRecorder, name: string, traceId: string): Promise<RecordedItem> {
  return recorder.waitForItem(
    `${name} in trace ${traceId}`,
    (item) => isOf("http.server", name)(item) && traceOf(item).trace_id === traceId,
  );
}

test("page loads and navigations are one trace with what the server did for them", async ({ page, startOwnServer }) => {
  await using recorder = await recordEnvelopes();
  const server = await startOwnServer({ env: { SENTRY_TRACES_SAMPLE_RATE: "1", SENTRY_DSN: recorder.dsn } });
  await signInByForm(page, server);
  await openPage(page, `${server.url}/settings`);
  const pageload = await recorder.waitForItem("the page load", isOf("pageload", "/settings"));
  const document = await findServerPart(recorder, "GET /settings", traceOf(pageload).trace_id);
  expect(spanIdsOf(document)).toContain(traceOf(pageload).parent_span_id);
  const loaders = document.payload.spans.filter(({ op }: { op: string }) => /loader/.test(op));
  expect(loaders.length).toBeGreaterThan(0);
  expect(pageload.payload.release).toMatch(/^culprit@/);

  await page.getByRole("link", { name: "Arrived" }).dispatchEvent("click");
  await expect(page.getByRole("heading", { name: "What arrived" })).toBeVisible();
  const navigation = await recorder.waitForItem("the navigation", isOf("navigation", "/arrived"));
  expect(traceOf(navigation).trace_id).not.toBe(traceOf(pageload).trace_id);
  const data = await findServerPart(recorder, "GET /arrived", traceOf(navigation).trace_id);
  expect(spanIdsOf(navigation)).toContain(traceOf(data).parent_span_id);
  // The same from both sides, and each of them once.
  const names = (op: string) =>
    recorder.items.filter(isOf(op, /arrived/)).map(({ payload }) => payload.transaction as string);
  expect(names("navigation")).toEqual(["/arrived"]);
  expect(names("http.server")).toEqual(["GET /arrived"]);
  // Its own way out leaves no trace of its own.
  const served = recorder.items.filter(isOf("http.server", /./)).map(({ payload }) => payload.transaction as string);
  expect(served.filter((name) => /monitoring|live/.test(name))).toEqual([]);
});

test.describe("headers of traces", () => {
  // The pages' own policy forbids to send anywhere else: without it, the SDK has to know.
  test.use({ bypassCSP: true });

  test("go to this origin and no other, and baggage is cut at a whole member", async ({ page, startOwnServer }) => {
    await using recorder = await recordEnvelopes();
    const server = await startOwnServer({ env: { SENTRY_TRACES_SAMPLE_RATE: "1", SENTRY_DSN: recorder.dsn } });
    await using proxy = await startProxy(server);
    await openPage(page, `${proxy.url}/sign-in`);
    await recorder.waitForItem("the page load", isOf("pageload", "/sign-in"));

    const elsewhere = `${recorder.url}/elsewhere`;
    await page.evaluate((url) => fetch(url).then((answer) => answer.text()), elsewhere);
    const foreign = recorder.requests.find(({ url }) => url === "/elsewhere");
    expect(foreign?.headers).not.toHaveProperty("sentry-trace");
    expect(foreign?.headers).not.toHaveProperty("baggage");

    await page.evaluate(async () => {
      const member = (index: number) => `member${index}=${"v".repeat(390)}`;
      const baggage = Array.from({ length: 30 }, (_, index) => member(index)).join(",");
      await fetch("/healthz?own", { headers: { baggage } });
    });
    const own = proxy.requests.find(({ path }) => path === "/healthz?own");
    expect(own?.headers["sentry-trace"]).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}-[01]$/);
    const baggage = String(own?.headers.baggage);
    expect(Buffer.byteLength(baggage)).toBeLessThanOrEqual(8192);
    expect(Buffer.byteLength(baggage)).toBeGreaterThan(7000);
    expect(baggage.split(",").every((member) => /^(member\d+=v{390}|sentry-\w+=[^,]*)$/.test(member.trim()))).toBe(
      true,
    );
  });
});

test("the browser reports through this server only, and gives up where that fails", async ({
  page,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/a fault|status of 500/);
  const server = await startOwnServer();
  await using proxy = await startProxy(server);
  proxy.refuse(({ path, method }) => method === "POST" && path.startsWith("/monitoring"), 500);
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await openPage(page, `${proxy.url}/sign-in`);
  await waitFor("the SDK", async () => proxy.count(/^\/monitoring/) > 0);
  for (let fault = 0; fault < 5; fault += 1) {
    await page.evaluate((number) => setTimeout(() => Promise.reject(new Error(`a fault, number ${number}`))), fault);
  }
  await waitFor("the faults", async () => proxy.count(/^\/monitoring/) > 4);
  await page.reload();
  await waitForScript(page);
  // Each was tried once, with the page loads and sessions: nothing was tried again because it had failed.
  expect(proxy.count(/^\/monitoring/)).toBeLessThan(20);
  expect([...hosts]).toEqual([new URL(proxy.url).host]);
  await page.close();
});
