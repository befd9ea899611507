import { listIssues, waitForEvent } from "../support/api.ts";
import { expect, sendEvent, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

// Forms and links before script has loaded, or where it never does.
test.use({ javaScriptEnabled: false });

test.describe("signed out", () => {
  test.use({ isSignedIn: false });

  test("set-up, a sample event, signing out and in again by a link", async ({ page, startOwnServer, complaints }) => {
    complaints.expect(/status of 400/);
    const server = await startOwnServer({ project: null });
    await page.goto(server.url);
    await page.getByLabel("Set-up code").fill(await server.setUpCode());
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByLabel("Project name").fill("Plain shop");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("heading", { name: "Plain shop", level: 1 })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "DSN" })).toHaveValue(/^http:/);
    // Copying needs script: the text is there to be selected.
    await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(0);
    // Only told to those without script; Playwright does not read the words of this element.
    await expect(page.getByRole("status").locator("noscript")).toBeVisible();
    await page.getByRole("navigation", { name: "Platform" }).getByRole("link", { name: "Go", exact: true }).click();
    await expect(page.getByRole("main")).toContainText("go get github.com/getsentry/sentry-go");

    await page.getByRole("button", { name: "Send a sample event" }).click();
    await expect(async () => {
      const again = page.getByRole("link", { name: "Look again" });
      if (await again.isVisible()) await again.click();
      await expect(page.getByRole("heading", { name: "Stack trace" })).toBeVisible({ timeout: 1000 });
    }).toPass();

    await page.locator("summary", { hasText: "Account of Ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await page.goto(`${server.url}/projects/plain-shop/settings`);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toHaveText("E-mail or password is wrong.");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${server.url}/projects/plain-shop/settings`);
  });
});

test("an issue is found by a filter, opened, resolved and put back", async ({ page, project, server }) => {
  await project.store(makeError("Plain"), makeError("Other", { environment: "staging" }));
  await page.goto(`/issues?project=${project.slug}`);
  await page.getByRole("button", { name: /^Environments:/ }).click();
  const environments = page.getByRole("group", { name: "Environments" });
  await environments.getByRole("checkbox", { name: "production" }).check();
  await environments.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("table", { name: "Issues" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("button", { name: `Projects: ${project.name}` })).toBeVisible();
  await expect(page.getByRole("button", { name: "Environments: production" })).toBeVisible();
  await page
    .getByRole("table", { name: "Issues" })
    .getByRole("link", { name: /PlainError/ })
    .click();
  await expect(page.getByRole("heading", { name: "PlainError", level: 1 })).toBeVisible();

  const status = async () => (await listIssues(server, "PlainError", project.slug))[0]?.status;
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Resolved. It comes back by itself if it happens again.")).toBeVisible();
  expect(await status()).toBe("resolved");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  expect(await status()).toBe("unresolved");

  await page.getByRole("link", { name: "Full" }).click();
  await expect(page.getByText("executeDispatch")).toBeVisible();
  await page.getByRole("combobox", { name: "Environment" }).selectOption("staging");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("navigation", { name: "Graph" })).toContainText("Events 0");
  await page
    .getByRole("navigation", { name: "Views of this issue" })
    .getByRole("link", { name: /^Events/ })
    .click();
  await expect(page.getByRole("search").getByRole("button", { name: "Search" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No event matches" })).toBeVisible();
});

test("What arrived is filtered, and a key is made", async ({ page, project, server }) => {
  const eventId = await sendEvent({ url: server.url, dsn: project.dsn }, makeError("Plain"));
  await waitForEvent(server, eventId, project.slug);
  await page.goto("/arrived");
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: project.name });
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("main")).toContainText("1 item, of which");

  await page.goto(`/projects/${project.slug}/settings`);
  await page.getByLabel("Name of the new key").fill("Plain key");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Key “Plain key” made.")).toBeVisible();
});
