import type { Page } from "@playwright/test";
import { sendEnvelope } from "../support/api.ts";
import { expect, openPage, type TestProject, test, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import { makeLogEnvelope, makeTraceEnvelope, type SentSpan, toSpanId } from "../support/make-trace-envelope.ts";
import type { TestServer } from "../support/start-server.ts";

const axis = (page: Page) => page.getByRole("group", { name: /^Timeline\. / });
const lane = (page: Page, name: string) => axis(page).getByRole("region", { name, exact: true });

const SPANS: readonly SentSpan[] = [
  ["click", null, "ui.action.click", "Pay", -5_000, 5_000],
  ["ask", "click", "http.client", "POST /pay", -4_900, 4_800],
  [
    "serve",
    "ask",
    "http.server",
    "POST /pay",
    -4_800,
    4_600,
    { status: "internal_error", data: { "http.response.status_code": 502 } },
  ],
  ["query", "serve", "db.query", "SELECT total FROM carts", -4_700, 4_400, { status: "deadline_exceeded" }],
];

/** An error in a browser, and what its trace has. Gives the error's id, once all of it is stored. */
async function storeFailure({
  page,
  server,
  project,
}: {
  page: Page;
  server: TestServer;
  project: TestProject;
}): Promise<string> {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const atMs = Date.now() - 10_000;
  const send = (envelope: string) => sendEnvelope({ url: server.url, dsn: project.dsn }, envelope);
  await send(makeTraceEnvelope(traceId, SPANS, { atMs }));
  await send(
    makeLogEnvelope(
      traceId,
      [
        [-4_000, "info", "checkout began", "serve"],
        [-300, "error", "payments answered 502", "serve"],
      ],
      atMs,
    ),
  );
  const crumb = (ms: number, category: string, message: string) => ({
    timestamp: (atMs + ms) / 1000,
    category,
    message,
  });
  const [eventId] = await project.store(
    makeError("Failed", {
      platform: "javascript",
      timestamp: atMs / 1000,
      contexts: { trace: { trace_id: traceId, span_id: toSpanId("click") } },
      breadcrumbs: { values: [crumb(-5_000, "ui.click", "button#pay"), crumb(-100, "console", "it failed")] },
    }),
  );
  // Spans and lines have a journal of their own: the error may be there before them.
  const readTimeline = async () => (await page.request.get(`/events/${eventId}/timeline.md`)).text();
  await expect.poll(readTimeline).toContain("payments answered 502");
  await expect.poll(readTimeline).toContain("SELECT total FROM carts");
  return eventId as string;
}

// A key copies the link.
test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("one failure stands on one axis, and is walked by keyboard", async ({ page, server, project }) => {
  const eventId = await storeFailure({ page, server, project });
  await openPage(page, `/events/${eventId}/timeline`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Failed");
  await expect(
    lane(page, "Network").getByRole("button", { name: /^POST \/pay 100 ms on the way there/ }),
  ).toBeVisible();
  await expect(lane(page, "Queries")).toContainText("1 query");
  await expect(lane(page, "Errors").getByRole("button", { name: /the throw$/ })).toBeVisible();
  await expect(lane(page, "Replay")).toContainText("replaysOnErrorSampleRate: 1.0 would have.");
  await expect(page.getByText("What failed, in order")).toContainText("What failed");
  await waitForScript(page);

  await page.keyboard.press("j");
  const first = page.locator(":focus");
  await expect(first).toHaveAccessibleName(/^(button#pay|Pay)/);
  await page.keyboard.press("0");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^Details: / })).toBeVisible();
  await expect(page).toHaveURL(/item=/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: /^Details: / })).toHaveCount(0);
  const thing = page.locator(":focus");
  const name = (await thing.getAttribute("aria-label")) ?? "";
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Close the details" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(thing).toHaveAccessibleName(name);

  await axis(page).focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(lane(page, "Queries")).toContainText(/of 4\.4 s/);
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/from=-?[\d.]+&to=/);

  await page.keyboard.press("y");
  await expect(page.getByText("Link copied.")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("SELECT total");
  await expect(page.getByRole("searchbox", { name: "Find on the timeline" })).toHaveValue("SELECT total");
  // Escape leads out of the field: the keys of the lanes act again.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Find on the timeline" })).toHaveValue("");
  await page.keyboard.press("j");
  await expect(page.getByRole("searchbox", { name: "Find on the timeline" })).toHaveValue("");
});

test("a view is in its address: window, times, open thing", async ({ page, server, project }) => {
  const eventId = await storeFailure({ page, server, project });
  await openPage(page, `/events/${eventId}/timeline?from=-1000&to=100&at=-500&time=utc`);
  await expect(page.getByRole("button", { name: "UTC", exact: true })).toHaveAttribute("aria-pressed", "true");
  await expect(lane(page, "Deploys")).toBeVisible();
  // What is out of sight is told at the edge, and one press brings it back.
  await lane(page, "What the user did").getByText("◂ 1 earlier").click();
  await expect(lane(page, "What the user did").getByText("◂ 1 earlier")).toHaveCount(0);
  await page.getByRole("button", { name: "The trace" }).click();
  await expect(page).toHaveURL(/from=-5250&to=250/);
  await lane(page, "Queries")
    .getByRole("button", { name: /^SELECT total/ })
    .click();
  await page.getByRole("button", { name: "Fit into the window" }).click();
  await expect(page).toHaveURL(/from=-5140&to=140.*item=span/);
  await page.reload();
  await expect(page.getByRole("region", { name: /^Details: SELECT/ })).toContainText("deadline exceeded");
  await page.getByRole("link", { name: "In the trace" }).click();
  await expect(page).toHaveURL(/\/traces\/.*span=/);
});

test("a drag over the ruler is a window", async ({ page, server, project }) => {
  const eventId = await storeFailure({ page, server, project });
  await openPage(page, `/events/${eventId}/timeline`);
  await waitForScript(page);
  const ruler = page.locator(".timeline-ruler");
  await expect(ruler).toBeVisible();
  const box = await ruler.boundingBox();
  if (!box) throw new Error("there is no ruler");
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=-4\d{3}(\.\d+)?&to=-[01]\d{0,3}/);
});

test("the list has the same in words, and is what a phone shows", async ({ page, server, project }) => {
  const eventId = await storeFailure({ page, server, project });
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, `/events/${eventId}/timeline`);
  const list = page.getByRole("list", { name: "Timeline, time runs down" });
  await expect(list.getByRole("listitem").filter({ hasText: "thrown here" })).toBeVisible();
  await expect(axis(page)).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await waitForScript(page);
  await page.getByRole("button", { name: /^Logs 2/ }).click();
  await expect(list.getByText("payments answered 502")).toBeVisible();
  await expect(list.getByText("SELECT total")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Not on this axis" })).toContainText("Replay");

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(list).toBeHidden();
  await page.getByRole("button", { name: "As a list" }).click();
  await expect(list).toBeVisible();
});

test("the same as Markdown", async ({ page, server, project }) => {
  const eventId = await storeFailure({ page, server, project });
  const text = await (await page.request.get(`/events/${eventId}/timeline.md`)).text();
  expect(text).toMatch(/^# Timeline of Failed/);
  expect(text).toContain("- **Queries**: 1 query");
  expect(text).toMatch(/−4\.7 s Queries: SELECT total FROM carts \[deadline exceeded\] \(4\.4 s\)/);
  expect(text).toMatch(/0 Errors: .*← thrown here/);
  const narrow = await (await page.request.get(`/events/${eventId}/timeline.md?from=-400&to=0`)).text();
  expect(narrow).not.toContain("checkout began");
  expect(narrow).toContain("payments answered 502");
});

test("it stands under the stack once the error is there, with a search in the logs of its trace", async ({
  page,
  server,
  project,
}) => {
  const eventId = await storeFailure({ page, server, project });
  await openPage(page, `/events/${eventId}`);
  const panel = page.getByRole("region", { name: "Timeline", exact: true });
  await panel.scrollIntoViewIfNeeded();
  await expect(lane(page, "Errors").getByRole("button", { name: /the throw$/ })).toBeVisible();
  await expect(panel.getByRole("region", { name: "Not on this axis" })).toContainText("replaysOnErrorSampleRate");
  const logs = panel.getByRole("region", { name: "Logs of its trace" });
  await expect(logs.getByRole("listitem")).toHaveCount(2);
  // The SDK has named no service: the project stands for it.
  await expect(logs.getByText(project.slug)).toHaveCount(2);
  await logs.getByRole("searchbox").fill("severity:error");
  await expect(logs.getByRole("listitem")).toHaveCount(1);
  await expect(logs).toContainText("payments answered 502");
  await logs.getByRole("searchbox").fill("is:unresolved");
  await expect(logs.getByRole("status")).toContainText("It says something about issues");
  await panel.getByRole("link", { name: "Open the timeline" }).click();
  await expect(page).toHaveURL(/\/timeline$/);
});
