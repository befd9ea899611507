import type { Locator, Page } from "@playwright/test";
import { listIssues } from "../support/api.ts";
import { expect, openPage, sendEvent, type TestProject, test, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";
import type { TestServer } from "../support/start-server.ts";

const events = (page: Page): Locator => page.getByRole("navigation", { name: "Events of this issue" });
const views = (page: Page): Locator => page.getByRole("navigation", { name: "Views of this issue" });
const stack = (page: Page): Locator => page.getByRole("region", { name: "Stack trace", exact: true });
/** Of the project's only issue. */
const idOfIssue = async (server: TestServer, project: TestProject) =>
  (await listIssues(server, "", project.slug))[0]?.id;
const ago = (minutes: number) => Date.now() / 1000 - minutes * 60;

test("one goes from event to event: first, previous, next, latest, and by id", async ({ page, project, server }) => {
  const ids = await project.store(
    makeError("Walk", { timestamp: ago(30), release: "shop@1" }),
    makeError("Walk", { timestamp: ago(20), release: "shop@2" }),
    makeError("Walk", { timestamp: ago(10), release: "shop@3" }),
  );
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}`);
  const at = async (place: number) => {
    await expect(events(page)).toContainText(`${place} of 3`);
    await expect(page.getByRole("region", { name: "Tags" })).toContainText(`shop@${place}`);
  };
  await at(3);
  await expect(events(page).getByRole("link", { name: "Next event" })).toHaveCount(0);
  await expect(events(page).getByRole("link", { name: "Latest event" })).toHaveCount(0);
  await events(page).getByRole("link", { name: "Previous event" }).click();
  await expect(page).toHaveURL(new RegExp(`/issues/${issue}/events/${ids[1]}$`));
  await at(2);
  await events(page).getByRole("link", { name: "First event" }).click();
  await at(1);
  await expect(events(page).getByRole("link", { name: "Previous event" })).toHaveCount(0);
  await events(page).getByRole("link", { name: "Next event" }).click();
  await at(2);
  await events(page).getByRole("link", { name: "Latest event" }).click();
  await at(3);

  await page.goto(`/events/${ids[0]}`);
  await at(1);
  // With hyphens and capitals it is the same id.
  await page.goto(`/events/${ids[1]?.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-").toUpperCase()}`);
  await at(2);
  await page.goBack();
  await at(1);
});

test("the stack is shown as one asks for it, and the choice is in the URL", async ({ page, project, server }) => {
  await project.store(makeError("Stack"));
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}`);
  const list = stack(page).getByRole("list", { name: /^Stack trace of StackError/ });
  await expect(list).toHaveAccessibleName("Stack trace of StackError, newest call first");
  await expect(list.getByText("2 frames outside the application")).toBeVisible();
  await expect(stack(page).getByText("executeDispatch")).toBeHidden();
  await expect(stack(page).getByText('throw new StackError("could not be done");')).toBeVisible();
  await expect(stack(page).getByRole("term").filter({ hasText: "card" })).toBeVisible();
  await list.getByText("2 frames outside the application").click();
  await expect(stack(page).getByText("executeDispatch")).toBeVisible();

  await stack(page).getByRole("link", { name: "Full" }).click();
  await expect(page).toHaveURL(/stack=full/);
  await expect(list.getByText("2 frames outside the application")).toHaveCount(0);
  await expect(stack(page).getByText("executeDispatch")).toBeVisible();
  await stack(page).getByRole("link", { name: "Oldest first" }).click();
  await expect(list).toHaveAccessibleName("Stack trace of StackError, oldest call first");
  const functions = await list.getByRole("listitem").allTextContents();
  expect(functions.at(0)).toContain("dispatchEvent");

  await stack(page).getByRole("link", { name: "Raw" }).click();
  const raw = stack(page).locator("pre").filter({ hasText: "StackError:" });
  await expect(raw).toContainText("StackError: Stack could not be done");
  await expect(raw).toContainText("at chargeStack (src/charge.js:12:9)");
  await page.reload();
  await expect(raw).toContainText("at chargeStack (src/charge.js:12:9)");
});

test.describe("copies", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("the stack is copied as text, the event as Markdown and JSON, the request as cURL", async ({
    page,
    project,
    server,
  }) => {
    const [eventId] = await project.store(makeError("Copy"));
    const issue = await idOfIssue(server, project);
    await page.clock.install();
    await openPage(page, `/issues/${issue}`);
    const copied = async (name: string) => {
      const button = page.getByRole("button", { name, exact: true });
      await button.click();
      await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      // It says so for a moment, and is a button to copy again after it.
      await page.clock.runFor(2_000);
      await expect(button).toBeVisible();
      return text;
    };
    const text = await copied("Copy text");
    expect(text).toContain("CopyError: Copy could not be done");
    expect(text).toContain("at chargeCopy (src/charge.js:12:9)");
    const markdown = await copied("Copy event as Markdown");
    expect(markdown).toMatch(/^# CopyError: Copy could not be done/);
    expect(markdown).toContain(`${server.url}/issues/${issue}/events/${eventId}`);
    expect(markdown).toContain("chargeCopy");
    expect(JSON.parse(await copied("Copy JSON")).event_id).toBe(eventId);
    expect(await copied("Copy as cURL")).toMatch(/^curl .*https:\/\/shop\.example\/cart/s);
    expect(await copied("Copy short id")).toMatch(/^SHOP-.*-1$/);
    expect(await copied("Copy event id")).toBe(eventId);
  });
});

test("everything that the event holds is on the page, with what was wrong with it and why it is in this issue", async ({
  page,
  project,
  server,
}) => {
  await project.store(
    makeError("Whole", {
      modules: { react: "19.3.1" },
      extra: { cart: { items: 2 }, password: "hunter2" },
      release: 42,
      level: "dreadful",
    }),
  );
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}`);
  const section = (name: string | RegExp) => page.getByRole("region", { name });
  await expect(section("Breadcrumbs")).toContainText("button#pay");
  await expect(section("Request")).toContainText("https://shop.example/cart");
  await expect(section("Tags")).toContainText("express");
  await expect(section("Contexts")).toContainText("ada@example.com");
  await expect(section("Contexts")).toContainText("Chrome");
  await expect(section("Additional data")).toContainText("[Filtered]");
  await expect(page.getByRole("main")).not.toContainText("hunter2");
  await section(/^Packages/)
    .getByText("Show names and versions")
    .click();
  await expect(section(/^Packages/)).toContainText("19.3.1");
  await expect(section("Why it is in this issue")).toContainText(
    "Grouped by the exception type WholeError and 3 in-app frames: chargeWhole in charge.js",
  );
  const problems = page.getByRole("region", { name: /wrong|taken out|problem/i });
  await expect(problems).toContainText("level");
  await expect(problems).toContainText("password");
  await section("JSON").getByText("Show the event as it is stored").click();
  await expect(section("JSON").locator("pre")).toContainText('"items": 2');
  await section("JSON").getByRole("link", { name: "Open raw" }).click();
  await expect(page.locator("body")).toContainText('"type": "WholeError"');
});

test("the page narrows to an environment and a time, and its numbers follow", async ({ page, project, server }) => {
  await project.store(
    makeError("Narrow", { timestamp: ago(3 * 24 * 60), environment: "staging" }),
    makeError("Narrow", { timestamp: ago(20), environment: "staging" }),
    makeError("Narrow", { timestamp: ago(10), environment: "production", user: { id: "2" } }),
  );
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}`);
  const graph = page.getByRole("navigation", { name: "Graph" });
  await expect(graph).toContainText("Events 3");
  await page.getByRole("combobox", { name: "Environment" }).selectOption("staging");
  await expect(page).toHaveURL(/environment=staging/);
  await expect(graph).toContainText("Events 2");
  await expect(events(page)).toContainText("2 of 2");
  await page.getByRole("combobox", { name: "Time range" }).selectOption("1d");
  await expect(graph).toContainText("Events 1");
  await expect(events(page)).toContainText("1 of 1");
  await page.getByRole("combobox", { name: "Environment" }).selectOption("");
  await expect(graph).toContainText("Events 2");
  await graph.getByRole("link", { name: /^Users/ }).click();
  await expect(page.getByRole("figure", { name: "Users over time: 2 users" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("figure", { name: "Users over time: 2 users" })).toBeVisible();
});

test("the table of events is filtered by a tag, and pages", async ({ page, project, server }) => {
  const many = Array.from({ length: 28 }, (_, index) =>
    makeError("Table", { timestamp: ago(60 - index), tags: { checkout: index < 3 ? "slow" : "express" } }),
  );
  await project.store(...many);
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}`);
  await views(page)
    .getByRole("link", { name: /^Events/ })
    .click();
  const table = page.getByRole("region", { name: "Events of this issue" });
  await expect(table.getByRole("row")).toHaveCount(26);
  await page.getByRole("navigation", { name: "Pages of events" }).getByRole("link", { name: "Next" }).click();
  await expect(table.getByRole("row")).toHaveCount(4);
  await page.getByRole("navigation", { name: "Pages of events" }).getByRole("link", { name: "Previous" }).click();
  await expect(table.getByRole("row")).toHaveCount(26);

  await views(page).getByRole("link", { name: "Tags" }).click();
  await page.getByRole("region", { name: "Tags" }).getByRole("link", { name: /^slow/ }).click();
  await expect(page).toHaveURL(/tag=checkout%3Aslow/);
  await expect(table.getByRole("row")).toHaveCount(4);
  await page.getByRole("link", { name: "Stop filtering by checkout slow" }).click();
  await expect(table.getByRole("row")).toHaveCount(26);
  await table.getByRole("link").first().click();
  await expect(events(page)).toContainText("28 of 28");
});

test("what one narrows the page to goes along, to the table of events, to each of them and back", async ({
  page,
  project,
  server,
}) => {
  const event = (minutes: number, more: Record<string, unknown>) =>
    makeError("Along", { timestamp: ago(minutes), ...more });
  await project.store(
    event(50, { environment: "staging", tags: { checkout: "slow" } }),
    event(40, { environment: "production", tags: { checkout: "slow" } }),
    event(30, { environment: "staging", tags: { checkout: "express" } }),
    event(20, { environment: "staging", tags: { checkout: "slow" } }),
    event(10, { environment: "staging", tags: { checkout: "express" } }),
  );
  const issue = await idOfIssue(server, project);
  await openPage(page, `/issues/${issue}?graph=users&stack=full`);
  const graph = page.getByRole("navigation", { name: "Graph" });
  const environment = page.getByRole("combobox", { name: "Environment" });
  await environment.focus();
  await environment.selectOption("staging");
  await expect(events(page)).toContainText("4 of 4");
  // Only the choice has changed, not what else one had chosen.
  await expect(page).toHaveURL(/graph=users/);
  await expect(page).toHaveURL(/stack=full/);
  await expect(environment).toBeFocused();

  await page.getByRole("region", { name: "Tags" }).getByRole("link", { name: "express" }).click();
  const table = page.getByRole("region", { name: "Events of this issue" });
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(views(page)).toContainText("Events2");
  // The table stays when the time changes.
  await page.getByRole("combobox", { name: "Time range" }).selectOption("7d");
  await expect(page).toHaveURL(/period=7d/);
  await expect(table.getByRole("row")).toHaveCount(3);

  await table.getByRole("link").first().click();
  await expect(events(page)).toContainText("2 of 2");
  await events(page).getByRole("link", { name: "Previous event" }).click();
  await expect(events(page)).toContainText("1 of 2");
  await expect(page.getByRole("region", { name: "Tags" })).toContainText("express");
  await page.getByRole("link", { name: "Stop filtering by checkout express" }).click();
  await expect(events(page)).toContainText("2 of 4");
  await expect(graph).toContainText("Events 4");
  await page.goBack();
  await expect(events(page)).toContainText("1 of 2");
});

test("an event of another issue, found by its id, comes with its own issue", async ({ page, project }) => {
  const [one] = await project.store(makeError("One"));
  const [other] = await project.store(makeError("Other"));
  await openPage(page, `/issues/${project.slug}-1/events/${one}`);
  await page.goto(`/events/${other}`);
  await expect(page).toHaveURL(new RegExp(`/events/${other}$`));
  await expect(page.getByText("Other could not be done").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "OtherError", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/-2 OtherError/);
});

test("what happens to an issue while one looks at it is announced, and shown when one asks", async ({
  page,
  project,
  server,
  context,
}) => {
  const target = { url: server.url, dsn: project.dsn };
  const [first] = await project.store(makeError("Watched"));
  await openPage(page, `/issues/${project.slug}-1/events/${first}`);
  await expect(events(page)).toContainText("1 of 1");
  await sendEvent(target, makeError("Watched"));
  const news = page.getByRole("status").getByRole("button", { name: /Show$/ });
  await expect(news).toHaveText("1 new eventShow");
  await sendEvent(target, makeError("Watched"));
  await expect(news).toHaveText("2 new eventsShow");
  await expect(events(page)).toContainText("1 of 1");
  await news.click();
  await expect(events(page)).toContainText("3 of 3");
  await expect(page.getByRole("navigation", { name: "Graph" })).toContainText("Events 3");
  await expect(news).toHaveCount(0);

  // Somebody else resolves it, in another window.
  const other = await context.newPage();
  await openPage(other, `/issues/${project.slug}-1`);
  await other.getByRole("button", { name: "Resolve" }).click();
  await expect(other.getByRole("button", { name: "Reopen" })).toBeVisible();
  await other.close();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(news).toHaveText("Resolved meanwhileShow");
  await page.keyboard.press("n");
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await sendEvent(target, makeError("Watched"));
  await expect(news).toHaveText("Regressed: it happened again, 1 new eventShow");
  await news.click();
  await expect(page.getByRole("main").getByText("Regressed", { exact: true })).toBeVisible();
  await expect(events(page)).toContainText("4 of 4");

  // What one did oneself is no longer said once it does not hold any more.
  const said = page.getByText("Resolved. It comes back by itself if it happens again.");
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(said).toBeVisible();
  await sendEvent(target, makeError("Watched"));
  await expect(news).toHaveText("Regressed: it happened again, 1 new eventShow");
  await news.click();
  await expect(events(page)).toContainText("5 of 5");
  await expect(page.getByRole("main").getByText("Regressed", { exact: true })).toBeVisible();
  await expect(said).toHaveCount(0);
});

test("an open page says that its issue was merged into another one, or deleted", async ({
  page,
  context,
  project,
  complaints,
}) => {
  complaints.expect(/404 .*\/state/);
  await project.store(makeError("Kept"), makeError("Merged"));
  const [kept, merged] = [`${project.slug}-1`, `${project.slug}-2`].map((id) => id.toUpperCase());
  await openPage(page, `/issues/${merged}`);
  const news = page.getByRole("status").getByRole("button", { name: /Show$|All issues$/ });
  const other = await context.newPage();
  await openPage(other, `/issues/${kept}/similar`);
  await other.getByRole("button", { name: `Merge into ${kept}: ${merged}` }).click();
  await page.bringToFront();
  await expect(news).toHaveText(`Merged into ${kept}Show`);
  await news.click();
  await expect(page.getByRole("heading", { name: "KeptError", level: 1 })).toBeVisible();
  await expect(news).toHaveCount(0);

  await openPage(other, `/issues/${kept}`);
  await other.locator("summary, button").filter({ hasText: "More actions" }).click();
  await other.getByRole("button", { name: "Delete…", exact: true }).click();
  await other.getByRole("button", { name: "Delete issue" }).click();
  await expect(other).toHaveURL(/issues$/);
  await page.bringToFront();
  await expect(news).toHaveText("Deleted meanwhile, or you may not see it any moreAll issues");
  await news.click();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test.describe("in a zone where days begin at other hours than in universal time", () => {
  test.use({ timezoneId: "America/New_York" });

  test("a bar says from when to when it is", async ({ page, project }) => {
    await project.store(makeError("Zone", { timestamp: ago(20 * 24 * 60) }), makeError("Zone"));
    await openPage(page, `/issues/${project.slug}-1?period=30d`);
    const figure = page.getByRole("figure", { name: "Events over time: 2 events" });
    await figure.locator("rect").first().hover();
    // Half a day, from noon or midnight in universal time: as the hour is at which this runs.
    await expect(page.locator(".tooltip")).toHaveText(
      /^0 events\n?\w+ \d+, 0?[78]:00 [AP]M – (\w+ \d+, )?0?[78]:00 [AP]M$/,
    );
  });
});

test("an issue is resolved, put back, archived and reopened, without leaving the event one looks at", async ({
  page,
  project,
  server,
}) => {
  const [first] = await project.store(makeError("Status"), makeError("Status"));
  const issue = await idOfIssue(server, project);
  const url = `${server.url}/issues/${issue}/events/${first}`;
  await openPage(page, url);
  const status = async () => (await listIssues(server, "", project.slug))[0]?.status;
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await expect(page).toHaveURL(url);
  expect(await status()).toBe("resolved");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  expect(await status()).toBe("unresolved");
  await expect(page.getByRole("main").getByText("New", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Archived. It stays quiet until somebody reopens it.")).toBeVisible();
  await project.store(makeError("Status"));
  // An event is found by its id a moment before its issue's events are counted.
  await expect(async () => {
    await page.reload();
    await expect(events(page)).toContainText("of 3", { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText("New events are counted, and nobody is told.")).toBeVisible();
  await waitForScript(page);
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByRole("button", { name: "Resolve" })).toBeVisible();
  await expect(page).toHaveURL(url);
  const activity = page.getByRole("complementary", { name: "About this issue" }).getByRole("listitem");
  // Once by the undo.
  await expect(activity.filter({ hasText: "owner reopened it" })).toHaveCount(2);
  await expect(activity.filter({ hasText: "owner resolved it" })).toHaveCount(1);
});

test("an issue has an address by its short id", async ({ page, project }) => {
  await project.store(makeError("Short"));
  await openPage(page, `/issues/${project.slug}-1`);
  await expect(page.getByRole("heading", { name: "ShortError", level: 1 })).toBeVisible();
});

test("among many breadcrumbs one finds what one looks for", async ({ page, project }) => {
  const requests = Array.from({ length: 40 }, (_, index) => ({
    type: "http",
    category: "fetch",
    data: { method: "GET", url: `/api/orders/${index}`, status_code: index === 7 ? 500 : 200 },
  }));
  const warning = { category: "cart", level: "warning", message: "the price is missing" };
  await project.store({
    ...makeError("Crumbs"),
    timestamp: Date.now() / 1000 - 60,
    breadcrumbs: { values: requests.slice(0, 2) },
  });
  await project.store({ ...makeError("Crumbs"), breadcrumbs: { values: [warning, ...requests] } });
  await openPage(page, `/issues/${project.slug}-1`);
  const section = page.getByRole("region", { name: "Breadcrumbs" });
  const rows = section.getByRole("listitem").filter({ visible: true });
  await expect(rows).toHaveCount(13);
  await section.getByRole("searchbox", { name: "Search the breadcrumbs" }).fill("orders 500");
  await expect(section.getByRole("status")).toHaveText("1 of 41");
  await expect(rows).toHaveText([/\/api\/orders\/7 \[500\]/, /this event/]);
  await section.getByRole("searchbox").fill("");
  await section.getByRole("combobox", { name: "Which breadcrumbs" }).selectOption("Warnings and errors");
  await expect(rows).toHaveText([/the price is missing/, /this event/]);
  await section.getByRole("combobox").selectOption("All breadcrumbs");
  await expect(rows).toHaveCount(13);

  // What was looked for in one event hides nothing of another, which has too few to be searched.
  await section.getByRole("searchbox").fill("price");
  await expect(rows).toHaveCount(2);
  await events(page)
    .getByRole("link", { name: /^Previous/ })
    .click();
  await expect(rows).toHaveText([/\/api\/orders\/0/, /\/api\/orders\/1/, /this event/]);
});

for (const { name, viewport, limits } of [
  { name: "on a wide screen", viewport: { width: 1440, height: 900 }, limits: { source: 420, failing: 460 } },
  // The first screen and a half.
  { name: "on a phone", viewport: { width: 390, height: 844 }, limits: { source: 1266, failing: 1266 } },
]) {
  test.describe(name, () => {
    test.use({ viewport });

    test("the page answers within the first screen: the failing line, with title and message said once", async ({
      page,
      project,
    }) => {
      await project.store(makeError("Answer", { transaction: "POST /checkout", tags: { plan: "pro" } }));
      await openPage(page, `/issues/${project.slug}-1`);
      const source = stack(page).getByRole("region", { name: /^Source of src\/charge\.js/ });
      const failing = source.getByText('throw new AnswerError("could not be done");');
      expect((await source.boundingBox())?.y).toBeLessThanOrEqual(limits.source);
      expect((await failing.boundingBox())?.y).toBeLessThanOrEqual(limits.failing);
      await expect(page.getByRole("heading", { name: "AnswerError" })).toHaveCount(1);
      await expect(page.getByRole("main").getByText("Answer could not be done", { exact: true })).toHaveCount(1);
      await expect(stack(page).locator(".exception-type")).toHaveCount(0);
    });

    test("so it does where a cause, or members of a group, stand above what was thrown", async ({ page, project }) => {
      const at = {
        platform: "python",
        timestamp: Date.now() / 1000 - 3600,
        release: "shop@2.15.0",
        environment: "live",
      };
      const frame = {
        filename: "src/charge.py",
        function: "charge",
        lineno: 12,
        in_app: true,
        context_line: "  raise",
      };
      const thrown = (type: string) => ({ type, value: "could not be done", stacktrace: { frames: [frame] } });
      const mechanism = { type: "chained", handled: true, exception_id: 1, parent_id: 0 };
      const cause = { ...thrown("RootError"), mechanism };
      const members = [1, 2, 3].map((id) => ({
        type: `Member${id}Error`,
        value: `member ${id} failed`,
        mechanism: { ...mechanism, source: `exceptions[${id}]`, exception_id: id },
      }));
      const groupOf = [...members, thrown("GroupError")];
      await project.store(makeError("Chain", { ...at, exception: { values: [cause, thrown("ChainError")] } }));
      await project.store(makeError("Group", { ...at, exception: { values: groupOf } }));
      for (const number of [1, 2]) {
        await openPage(page, `/issues/${project.slug}-${number}`);
        const source = stack(page)
          .getByRole("region", { name: /^Source of src\/charge\.py/ })
          .first();
        expect((await source.boundingBox())?.y, `issue ${number}`).toBeLessThanOrEqual(limits.source);
      }
      await expect(stack(page).getByText("member 2 failed")).toBeHidden();
      await stack(page).getByText("3 exceptions without a stack trace").click();
      await expect(stack(page).getByText("member 2 failed")).toBeVisible();
    });
  });
}

test("a long message is one line until it is pressed, and another event's own words stand above its stack", async ({
  page,
  project,
}) => {
  const say = (value: string) => {
    const error = makeError("Words", { fingerprint: ["words"] }) as { exception: { values: Array<{ value: string }> } };
    for (const exception of error.exception.values) exception.value = value;
    return error as unknown as Record<string, unknown>;
  };
  const long = `The order ${"and what belongs to it ".repeat(12)}\ncould not be kept`;
  const [first] = await project.store(say("Order 1 is gone"), say(long));
  await openPage(page, `/issues/${project.slug}-1`);
  const message = page
    .getByRole("main")
    .getByText(/^The order and what/)
    .first();
  const height = async () => (await message.locator("xpath=ancestor::summary").boundingBox())?.height ?? 0;
  expect(await height()).toBeLessThan(30);
  await message.click();
  expect(await height()).toBeGreaterThan(30);
  await page.goto(`/issues/${project.slug}-1/events/${first}`);
  await expect(stack(page).getByText("Order 1 is gone")).toBeVisible();
});

test("source is plain text in the first HTML, is coloured after the page, and nothing moves by that", async ({
  page,
  project,
}) => {
  await project.store(makeError("Colour"));
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const answer = await page.goto(`/issues/${project.slug}-1`);
  expect(await answer?.text()).not.toContain("data-colored");
  const source = stack(page).getByRole("region", { name: /^Source of src\/charge\.js/ });
  const before = await source.boundingBox();
  await expect(source.locator(".source-keyword", { hasText: "throw" })).toBeVisible();
  await expect(source).toContainText('throw new ColourError("could not be done");');
  expect(await source.boundingBox()).toEqual(before);
  expect(
    await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.filter((by) => by > 0.01)),
  ).toEqual([]);
});
