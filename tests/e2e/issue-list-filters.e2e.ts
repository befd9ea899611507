import type { Page } from "@playwright/test";
import { createProject, expect, openPage, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";

const rows = (page: Page) => page.getByRole("table", { name: "Issues" }).getByRole("row");
const row = (page: Page, name: string) => rows(page).filter({ hasText: `${name}Error` });
const search = (page: Page) => page.getByRole("combobox", { name: "Search issues" });
const options = (page: Page) => page.getByRole("listbox", { name: "What could be searched for" }).getByRole("option");

async function findSerious(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page);
    const serious = violations.filter(isSerious);
    found.push(...serious.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target} (${colorScheme})`)));
  }
  return found;
}

test("several projects are chosen by mouse, one alone, and all again", async ({ page, project, server }) => {
  // Short: the button names two projects as long as both names fit.
  const other = await createProject(server, `b-${project.slug}`);
  const third = await createProject(server, `c-${project.slug}`);
  await project.store(makeError("Alpha"));
  await other.store(makeError("Beta"));
  await third.store(makeError("Gamma"));
  await openPage(page, "/issues");
  const button = page.getByRole("button", { name: /^Projects:/ });
  const panel = page.getByRole("group", { name: "Projects" });
  await button.click();
  await panel.getByRole("checkbox", { name: project.name, exact: true }).check();
  await panel.getByRole("checkbox", { name: other.name, exact: true }).check();
  await expect(page).toHaveURL(`${server.url}/issues?project=${other.slug}&project=${project.slug}`);
  await expect(button).toHaveAccessibleName(`Projects: ${other.name}, ${project.name}`);
  await expect(rows(page)).toHaveCount(3);
  await panel.getByRole("checkbox", { name: third.name, exact: true }).check();
  await expect(button).toHaveAccessibleName("Projects: 3 projects");
  await expect(rows(page)).toHaveCount(4);
  expect(await findSerious(page), "choice").toEqual([]);

  await panel.getByRole("listitem").filter({ hasText: third.name }).hover();
  await panel.getByRole("link", { name: `Only ${third.name}` }).click();
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(`${server.url}/issues?project=${third.slug}`);
  await expect(button).toHaveAccessibleName(`Projects: ${third.name}`);
  await expect(rows(page)).toHaveCount(2);

  // What was checked one after the other is one step.
  await page.goBack();
  await expect(button).toHaveAccessibleName("Projects: 3 projects");
  await button.click();
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(button).toHaveAccessibleName("Projects: All projects");
  await button.click();
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await panel.getByRole("checkbox", { name: third.name, exact: true }).check();
  await panel.getByRole("link", { name: "All projects" }).click();
  await expect(page).toHaveURL(`${server.url}/issues`);
});

test("boxes checked faster than pages are drawn all count, and are one step back", async ({
  page,
  project,
  server,
}) => {
  const other = await createProject(server, `other-${project.slug}`);
  const third = await createProject(server, `third-${project.slug}`);
  await project.store(makeError("Alpha"));
  await openPage(page, "/issues");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  const button = page.getByRole("button", { name: /^Projects:/ });
  const panel = page.getByRole("group", { name: "Projects" });
  await button.click();
  for (const { name } of [project, other, third]) await panel.getByRole("checkbox", { name, exact: true }).check();
  await expect(button).toHaveAccessibleName("Projects: 3 projects");
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(button).toHaveAccessibleName("Projects: All projects");
});

test("environments are found and chosen by keys alone", async ({ page, project }) => {
  const names = ["production", "staging", "qa-one", "qa-two", "preview", "load"];
  await project.store(...names.map((environment) => makeError(environment.replace("-", ""), { environment })));
  await openPage(page, `/issues?project=${project.slug}`);
  const button = page.getByRole("button", { name: /^Environments:/ });
  await button.focus();
  // Typed on at once: none of it is for the list behind.
  await page.keyboard.press("Enter");
  await page.keyboard.type("qa");
  const panel = page.getByRole("group", { name: "Environments" });
  await expect(panel.getByRole("searchbox", { name: "Find environments" })).toBeFocused();
  await expect(panel.getByRole("checkbox")).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(rows(page)).toHaveCount(3);
  // Keys of the list behind rest.
  await page.keyboard.press("j");
  await expect(panel.getByRole("checkbox", { name: /^qa/ }).last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
  await expect(button).toHaveAccessibleName(/^Environments: qa-(one, qa-two|two, qa-one)$/);

  await page.keyboard.press("Enter");
  await page.keyboard.type("nothing");
  await expect(panel.getByText("No environments are called so.")).toBeVisible();
});

test("a choice keeps the focus when its list comes", async ({ page, project }) => {
  await project.store(makeError("Alpha"), makeError("Old", { timestamp: Date.now() / 1000 - 2 * 86_400 }));
  await openPage(page, `/issues?project=${project.slug}`);
  const range = page.getByRole("combobox", { name: "Time range" });
  await range.focus();
  await range.selectOption("24h");
  await expect(rows(page)).toHaveCount(2);
  await expect(range).toBeFocused();
  // Back is followed.
  await page.goBack();
  await expect(rows(page)).toHaveCount(3);
  await expect(range).toHaveValue("14d");
});

test("a project that is not there can be taken away again", async ({ page, project }) => {
  await project.store(makeError("Alpha"));
  await openPage(page, `/issues?range=6h&project=${project.slug}&project=gone`);
  await expect(page.getByRole("main")).toContainText("There is no project “gone”.");
  await expect(page.getByRole("main")).toContainText("This page has no time range “6h”: it shows the last 14 days.");
  await page.getByRole("button", { name: /^Projects:/ }).click();
  // Not `uncheck`, which looks at the box afterwards: it goes with its project.
  await page.getByRole("group", { name: "Projects" }).getByRole("checkbox", { name: "gone" }).click();
  await expect(page).toHaveURL(new RegExp(`/issues\\?project=${project.slug}$`));
  await expect(page.getByRole("main")).not.toContainText("There is no project");
});

test("the search completes keys and values as one types", async ({ page, project }) => {
  await project.store(
    makeError("Alpha"),
    makeError("Beta", { level: "fatal", environment: "eu west" }),
    makeError("Gamma", { level: "info" }),
  );
  await openPage(page, `/issues?project=${project.slug}`);
  const field = search(page);
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.focus();
  await field.press("End");
  await page.keyboard.type(" le");
  await expect(options(page)).toHaveText([/^level:severity/]);
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("status").filter({ hasText: "1 suggestion" })).toBeAttached();

  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await options(page).first().getAttribute("id")) ?? "");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("is:unresolved level:");
  await expect(options(page)).toHaveCount(5);
  expect(await findSerious(page), "completion").toEqual([]);
  await page.keyboard.press("ArrowUp");
  await expect(options(page).and(page.locator("[aria-selected=true]"))).toHaveText("level:debug");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("is:unresolved level:fatal ");
  await expect(options(page)).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=is%3Aunresolved\+level%3Afatal$/);
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Beta")).toBeVisible();

  // Each filter is a chip: arrows choose one, Enter opens it, Backspace takes it away, and the browser can undo that.
  const selected = () => page.evaluate(() => getSelection()?.toString());
  await expect(page.locator(".search-chip")).toHaveText(["is:unresolved", "level:fatal"]);
  await field.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(selected).toBe("level:fatal");
  await expect(page.getByRole("status").filter({ hasText: "level:fatal, filter, 2 of 2." })).toBeAttached();
  expect(await findSerious(page), "a chosen chip").toEqual([]);
  await page.keyboard.press("Backspace");
  await expect(field).toHaveValue("is:unresolved ");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(field).toHaveValue(/^is:unresolved level:fatal/);
  await field.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await expect(options(page).filter({ hasText: "level:fatal" })).toBeVisible();
});

test("versions are offered as one types, the newest first, and asked for once", async ({ page, project }) => {
  const other = `${project.slug}-other@1.0.0`;
  await project.store(
    ...["1.0.0", "1.1.0", "2.0.0"].map((version) =>
      makeError(`At ${version}`, { release: `${project.slug}@${version}` }),
    ),
    makeError("Elsewhere", { release: other }),
  );
  await openPage(page, `/issues?project=${project.slug}&q=`);
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    const { pathname, searchParams } = url;
    if (pathname === "/search-values" && searchParams.get("key") === "release")
      asked.push(searchParams.get("text") ?? "");
  });
  const field = search(page);
  await field.fill("rel");
  await expect(options(page)).toHaveText([/^release:/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("release:");
  const versions = ["-other@1.0.0", "@2.0.0", "@1.1.0", "@1.0.0"].map((end) => `release:${project.slug}${end}`);
  await expect(options(page)).toHaveText(versions.map((version) => `${version}1 event`));
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("status").filter({ hasText: "4 suggestions" })).toBeAttached();
  // All of them are known now.
  await page.keyboard.type("1.");
  await expect(options(page)).toHaveText([versions[0], versions[2], versions[3]].map((version) => `${version}1 event`));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(options(page).nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(`${versions[2]} `);
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: "At 1.1.0" })).toBeVisible();
  expect(asked).toEqual([""]);
});

test("values of the data are offered, negation is, Escape takes nothing, and Tab what is chosen", async ({
  page,
  project,
}) => {
  await project.store(makeError("Alpha"), makeError("Beta", { environment: "eu west", level: "info" }));
  await openPage(page, `/issues?project=${project.slug}&q=`);
  const field = search(page);
  await field.fill("env");
  await options(page).filter({ hasText: "environment:" }).click();
  await expect(options(page).filter({ hasText: 'environment:"eu west"' })).toBeVisible();
  await page.keyboard.type("eu");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue('environment:"eu west" ');
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Beta")).toBeVisible();

  await field.fill("!");
  await expect(options(page)).toHaveText([/^!is:/, /^!level:/, /^!project:/, ...Array(5).fill(/^!/)]);
  await page.keyboard.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("!");
  await page.keyboard.type("level:in");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("!level:info ");
  await field.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Alpha")).toBeVisible();

  // What was searched for is offered where a word begins; what is not understood is said.
  await field.fill("");
  await options(page).filter({ hasText: 'environment:"eu west"' }).click();
  await expect(row(page, "Beta")).toBeVisible();
  await field.fill("level:loud project:nope -level:info");
  await field.press("Enter");
  for (const word of ["“level:loud” is not known.", "There is no project “nope”.", "“-” leaves nothing out."]) {
    await expect(page.getByRole("main")).toContainText(word);
  }
  await expect(field).toHaveAccessibleDescription(/“level:loud” is not known.*“-” leaves nothing out/);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(rows(page)).toHaveCount(0);
  expect(await findSerious(page), "a search that is not understood").toEqual([]);
  // Escape takes back what was typed.
  await field.fill("something else");
  await field.press("Escape");
  await expect(field).toHaveValue("level:loud project:nope -level:info");
  await expect(field).not.toBeFocused();
});

test("tags of events are searched for, and an id alone leads to what it names", async ({ page, project }) => {
  const trace = { trace_id: crypto.randomUUID().replaceAll("-", ""), span_id: "1234567890123456" };
  const [alpha] = await project.store(
    makeError("Alpha", { tags: { plan: "pro" }, contexts: { trace } }),
    makeError("Beta", { tags: { plan: "free" } }),
  );
  await openPage(page, `/issues?project=${project.slug}`);
  const find = async (text: string) => {
    await search(page).fill(text);
    await search(page).press("Enter");
  };
  await find("plan:pro");
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Alpha")).toBeVisible();
  await find("tariff:pro");
  await expect(page.getByRole("alert")).toContainText("“tariff:” is not known.");
  await expect(rows(page)).toHaveCount(0);
  await find(trace.trace_id);
  await expect(page).toHaveURL(new RegExp(`/traces/${trace.trace_id}$`));
  await expect(page.getByRole("link", { name: "AlphaError" })).toBeVisible();
  await page.goBack();
  await find(`trace:${trace.trace_id}`);
  await expect(row(page, "Alpha")).toBeVisible();
  await find(alpha ?? "");
  await expect(page).toHaveURL(new RegExp(`/issues/\\d+/events/${alpha}$`));
  await page.goBack();
  await find(`${project.slug}-1`);
  await expect(page).toHaveURL(/\/issues\/\d+$/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("what opens stays within the window", async ({ page, project }) => {
    await project.store(makeError("Alpha"));
    await openPage(page, `/issues?project=${project.slug}`);
    for (const name of ["Projects", "Environments"]) {
      await page.getByRole("button", { name: new RegExp(`^${name}:`) }).tap();
      const box = await page.getByRole("group", { name }).boundingBox();
      expect(box?.x, name).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 999), name).toBeLessThanOrEqual(390);
      expect(box?.y, name).toBeGreaterThan(60);
      const violations = await findViolations(page, { rules: ["target-size"] });
      expect(violations, name).toEqual([]);
      await page.keyboard.press("Escape");
    }
    await search(page).tap();
    await search(page).fill("le");
    const box = await page.getByRole("listbox").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    await options(page).first().tap();
    await expect(search(page)).toHaveValue("level:");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("several projects are chosen and applied", async ({ page, project, server }) => {
    const other = await createProject(server, `plain-${project.slug}`);
    await project.store(makeError("Alpha"));
    await other.store(makeError("Beta"));
    await page.goto("/issues");
    await page.getByRole("button", { name: /^Projects:/ }).click();
    const panel = page.getByRole("group", { name: "Projects" });
    await panel.getByRole("checkbox", { name: project.name, exact: true }).check();
    await panel.getByRole("checkbox", { name: other.name, exact: true }).check();
    await panel.getByRole("button", { name: "Apply" }).click();
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole("searchbox", { name: "Search issues" }).fill(`project:${other.slug}`);
    await page.getByRole("searchbox", { name: "Search issues" }).press("Enter");
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole("button", { name: /^Projects:/ }).click();
    await panel.getByRole("link", { name: `Only ${project.name}` }).click();
    await expect(page.getByRole("alert")).toContainText("No project is both chosen beside the search and named in it.");
  });
});
