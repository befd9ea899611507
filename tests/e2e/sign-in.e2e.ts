import { expect, openPage, signInByForm, test, waitForScript } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

test.use({ isSignedIn: false });

test("a link leads to its page after signing in", async ({ page, server, project }) => {
  // Without any event, the list waits for the first one and has no search.
  await project.store(makeError("Seen before"));
  await page.goto("/issues?q=is%3Aresolved");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/issues?q=is%3Aresolved`);
  await expect(page.getByRole("combobox", { name: "Search issues" })).toHaveValue("is:resolved");
});

test("signing in leads to no other site", async ({ page, server }) => {
  await page.goto("/sign-in?to=https%3A%2F%2Fevil.example%2F");
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/issues`);
});

test("a wrong password is told apart from nothing, and the address stays", async ({ page, server, complaints }) => {
  complaints.expect(/status of 400/);
  await openPage(page, "/sign-in");
  for (const email of [server.owner.email, "nobody@example.com"]) {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toHaveText("E-mail or password is wrong.");
    await expect(page.getByLabel("E-mail")).toHaveValue(email);
  }
  await expect(page).toHaveURL(`${server.url}/sign-in`);
});

test("after ten wrong passwords the account has to wait, and is told how long", async ({
  page,
  server,
  complaints,
}) => {
  complaints.expect(/status of 4(00|29)/);
  const guess = () =>
    fetch(`${server.url}/sign-in`, {
      method: "POST",
      headers: { origin: server.url },
      body: new URLSearchParams({ email: "guessed@example.com", password: "not the password" }),
    });
  const answers = await Promise.all(Array.from({ length: 10 }, guess));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(400));
  expect(Number((await guess()).headers.get("retry-after"))).toBeGreaterThan(500);

  await openPage(page, "/sign-in");
  await page.getByLabel("E-mail").fill("Guessed@example.com ");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Too many attempts. Try again in 10 minutes.");
});

test("who signs out is out in every tab, and going back shows nothing", async ({
  page,
  context,
  server,
  complaints,
}) => {
  // On a busy machine, the live stream asks again before the page has changed.
  complaints.expect(/status of 401/);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
  const other = await context.newPage();
  await openPage(other, "/projects");

  await openAccountMenu();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const answered = page.waitForResponse((response) => /^\/issues(\.data)?$/.test(new URL(response.url()).pathname));
  await page.goBack();
  await answered;
  await expect(page).toHaveURL(`${server.url}/sign-in`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await other.getByRole("link", { name: "Arrived" }).click();
  await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();

  async function openAccountMenu() {
    await waitForScript(page);
    // A `summary` until it is pressed: it has no role of its own that could be asked for.
    await page.locator("summary", { hasText: "Account of" }).click();
  }
});

test("what somebody searched is not suggested to the next person at their browser", async ({
  page,
  server,
  project,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  await project.store(makeError("Seen before"));
  const remembered = () => page.evaluate(() => localStorage.getItem("culprit.searches"));
  await signInByForm(page, server);
  await waitForScript(page);
  const search = page.getByRole("combobox", { name: "Search issues" });
  await search.fill("user.email:ada@example.com");
  await search.press("Enter");
  await expect.poll(remembered).toContain("ada@example.com");
  await page.locator("summary", { hasText: "Account of" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect.poll(remembered).toBeNull();
});

test("a new password is asked for twice: once to know who it is", async ({ page, startOwnServer, complaints }) => {
  complaints.expect(/status of 400/);
  const server = await startOwnServer();
  await openPage(page, `${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill(server.owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("a better password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAccessibleDescription(/This is not your current password/);
  await page.getByLabel("Current password").fill(server.owner.password);
  await page.getByLabel("New password").fill("a better password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText(/^Your password is changed/)).toBeVisible();

  await page.context().clearCookies();
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(server.owner.email);
  await page.getByLabel("Password").fill("a better password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Issues", level: 1 })).toBeVisible();
});

test("one changes name and address, and ends a session elsewhere", async ({
  page,
  browser,
  startOwnServer,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  const server = await startOwnServer();
  await signInByForm(page, server);
  const elsewhere = await browser.newPage();
  await signInByForm(elsewhere, server);

  await openPage(page, `${server.url}/settings`);
  const sessions = page.getByRole("region", { name: "Signed in on" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("This browser");
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("E-mail").fill("grace@example.com");
  await page.getByLabel("Confirm with your password").fill("not the password");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Confirm with your password")).toHaveAccessibleDescription(/not your current password/);
  await page.getByLabel("Confirm with your password").fill(server.owner.password);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your name and address are saved.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Grace Hopper");

  await sessions.getByRole("button", { name: /^End the session on/ }).click();
  await expect(page.getByText("The session has ended.")).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await elsewhere.goto(`${server.url}/settings`);
  await expect(elsewhere.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signInByForm(elsewhere, { ...server, owner: { ...server.owner, email: "grace@example.com" } });
  await page.reload();
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByText("You are signed out everywhere else.")).toBeVisible();
  await elsewhere.close();
});
