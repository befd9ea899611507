import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { PLATFORMS } from "../../app/features/projects/platforms.ts";
import { listIssues, waitFor } from "../support/api.ts";
import { expect, openPage, test, waitForScript } from "../support/browser-test.ts";
import { serveTinyApp } from "../support/serve-tiny-app.ts";

test.use({ isSignedIn: false, permissions: ["clipboard-read", "clipboard-write"] });

test("a stranger sets the server up, connects an application and follows its first error until it comes back", async ({
  page,
  context,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/payWith/);
  const server = await startOwnServer({ project: null });
  await using app = await serveTinyApp();

  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/set-up`);
  const { url } = await server.waitForLog(({ msg }) => msg.startsWith("not set up yet"));
  await page.goto(String(url).replace("localhost", "127.0.0.1"));
  await expect(page.getByLabel("Set-up code")).toHaveValue(await server.setUpCode());
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("correct horse");
  await page.getByLabel("Project name").fill("Web shop");
  await page.getByLabel("Platform").selectOption({ label: "React" });
  await page.getByRole("button", { name: "Set up" }).click();

  await expect(page.getByRole("heading", { name: "Web shop", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/projects/web-shop/set-up`);
  await expect(page.getByText("Waiting for the first event")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Configure it" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("@sentry/react");

  await waitForScript(page);
  const shownDsn = await page.getByRole("textbox", { name: "DSN" }).inputValue();
  await page.getByRole("textbox", { name: "DSN" }).locator("..").getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  const dsn = await page.evaluate(() => navigator.clipboard.readText());
  expect(dsn).toBe(shownDsn);
  expect(dsn).toMatch(/^http:\/\/[0-9a-f]{32}@127\.0\.0\.1:\d+\/\d+$/);

  // The application is another tab, at another origin.
  const shop = await context.newPage();
  await shop.goto(app.open(dsn));
  await throwInShop();

  const first = page.getByRole("link", { name: /^TypeError: Cannot read properties of undefined/ });
  await expect(first).toBeVisible();
  await expect(page.getByText("Waiting for the first event")).toBeHidden();
  await first.click();
  await expect(page.getByRole("heading", { name: "TypeError", level: 1 })).toBeVisible();
  await expect(page.getByRole("list", { name: /^Stack trace of TypeError/ })).toContainText("payWith");

  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();

  await shop.reload();
  await throwInShop();
  await waitFor("the regression", async () => (await listIssues(server, "is:regressed", "web-shop")).length === 1);
  await page.reload();
  await expect(page.getByRole("main").getByText("Regressed", { exact: true })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "About this issue" })).toContainText(
    "Happened again after it was resolved",
  );
  await openPage(page, `${server.url}/issues?q=is:regressed`);
  await expect(page.getByRole("row").filter({ hasText: "TypeError" })).toContainText("Regressed");

  async function throwInShop() {
    const sent = shop.waitForResponse((response) => response.url().includes("/envelope/"));
    await shop.getByRole("button", { name: "Pay" }).click();
    expect((await sent).status()).toBe(200);
  }
});

test("set-up says what is wrong with each field, and keeps what was typed", async ({
  page,
  complaints,
  startOwnServer,
}) => {
  complaints.expect(/status of 400/);
  const server = await startOwnServer({ project: null });
  await openPage(page, `${server.url}/set-up`);
  await page.getByLabel("Set-up code").fill("AAAA-BBBB-CCCC");
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("E-mail").fill("ada@localhost");
  await page.getByLabel("Password").fill("correct horse");
  // Letters there are none: the browser cannot know that this is wrong.
  await page.getByLabel("Project name").fill("!!!");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByLabel("Project name")).toHaveAccessibleDescription(/The name needs a letter/);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ada");

  await page.getByLabel("Project name").fill("Shop");
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByLabel("Set-up code")).toHaveAccessibleDescription(/This is not the code/);

  await page.getByLabel("Set-up code").fill(await server.setUpCode());
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("heading", { name: "Shop", level: 1 })).toBeVisible();

  await page.goto(`${server.url}/set-up`);
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test.describe("the page of a project", () => {
  test.use({ isSignedIn: true });

  test("has snippets with the project's DSN for every platform", async ({ page, project }) => {
    await openPage(page, `/projects/${project.slug}/set-up`);
    const dsn = await page.getByRole("textbox", { name: "DSN" }).inputValue();
    const labels = PLATFORMS.map(({ label }) => label);
    for (const name of [
      "Browser JavaScript",
      "React",
      "React Router",
      "Next.js",
      "Node.js",
      "Python",
      "Django",
      "Go",
    ]) {
      expect(labels).toContain(name);
    }
    for (const name of ["Rust", "Java", "PHP", "Ruby", ".NET"]) expect(labels).toContain(name);
    const platforms = page.getByRole("navigation", { name: "Platform" });
    await expect(platforms.getByRole("link")).toHaveCount(PLATFORMS.length);
    for (const { id, label } of PLATFORMS) {
      await platforms.getByRole("link", { name: label, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`platform=${id}$`));
      await expect(platforms.getByRole("link", { name: label, exact: true })).toHaveAttribute("aria-current", "true");
      // Exporters of OpenTelemetry take the parts of a DSN.
      const address = id === "opentelemetry" ? `sentry_key=${new URL(dsn).username}` : dsn;
      await expect(page.getByRole("main"), label).toContainText(address);
    }
  });

  test("leads from Next.js to how its build uploads source maps, and says how logs are switched on", async ({
    page,
    project,
  }) => {
    await openPage(page, `/projects/${project.slug}/set-up?platform=javascript-nextjs`);
    await expect(page.getByRole("main")).toContainText("enableLogs: true");
    await page.getByRole("link", { name: "How the build uploads them" }).click();
    await expect(page.getByRole("navigation", { name: "Tool that uploads" }).locator("[aria-current]")).toHaveText(
      "Next.js",
    );
    await expect(page.getByRole("main")).toContainText("@sentry/nextjs/config");
    // The check of the pipeline looks where Next.js builds.
    await expect(page.getByRole("main")).toContainText("[0-9a-fA-F-]{36}' ./.next |");
  });

  test("shows the first event of a Node application by itself", async ({ page, project }) => {
    await openPage(page, `/projects/${project.slug}/set-up`);
    await expect(page.getByText("Waiting for the first event")).toBeVisible();
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../support/failing-app.mjs")], {
      env: { SENTRY_DSN: project.dsn },
    });
    await expect(page.getByRole("link", { name: /^TypeError: Cannot read/ })).toBeVisible();
    await page.getByRole("link", { name: /^TypeError: Cannot read/ }).click();
    await expect(page.getByRole("list", { name: /^Stack trace of TypeError/ })).toContainText("openDrawer");
  });

  test("sends a sample event, and leads to it", async ({ page, project }) => {
    await openPage(page, `/projects/${project.slug}/set-up`);
    await page.getByRole("button", { name: "Send a sample event" }).click();
    await expect(page).toHaveURL(/\/issues\/\d+\/events\/[0-9a-f]{32}$/);
    await waitForScript(page);
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(project.slug);
    await expect(page.getByRole("heading", { name: "Stack trace" })).toBeVisible();
  });
});
