import { createProject, expect, openPage, test } from "../support/browser-test.ts";
import { invitePerson } from "../support/invite-person.ts";
import { makeError } from "../support/make-event.ts";

test("the last owner stays, and the answer comes into sight", async ({ page, complaints }) => {
  complaints.expect(/status of 409/);
  await openPage(page, "/settings");
  await page.getByRole("button", { name: "Leave…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeInViewport();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("who leaves the organization is told so at the sign-in", async ({ page, server, project, browser }) => {
  await openPage(page, "/settings/invitations");
  const { page: guest, context } = await invitePerson(page, { browser, server, project, role: "member" });
  await openPage(guest, "/settings");
  await guest.getByRole("button", { name: "Leave…" }).click();
  await guest.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(guest).toHaveURL(/\/sign-in/);
  await expect(guest.getByRole("status").filter({ hasText: "You left the organization." })).toBeVisible();
  await context.close();
});

test("somebody is invited, sees only what they were given, gets another role, and is removed and added again", async ({
  page,
  server,
  project,
  browser,
}) => {
  await project.store(makeError("Checkout broke"));
  const secret = await createProject(server, `secret-${project.slug}`);
  await openPage(page, "/settings/members");
  await page.getByRole("link", { name: "Invite" }).click();
  const person = await invitePerson(page, { browser, server, project, role: "viewer" });
  const { page: guest, context, name } = person;
  await guest.getByRole("link", { name: /Checkout broke/ }).click();
  await expect(guest).toHaveURL(/\/issues\/\d+/);
  const issue = new URL(guest.url()).pathname;
  await expect(guest.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(guest.getByRole("button", { name: "Resolve", exact: true })).toHaveCount(0);
  await openPage(guest, "/projects");
  await expect(guest.getByRole("link", { name: project.name, exact: true })).toBeVisible();
  await expect(guest.getByText(secret.name)).toHaveCount(0);
  await expect(guest.getByRole("link", { name: "New project" })).toHaveCount(0);

  // A page that the role does not allow keeps the navigation, and says what is missing and who can give it.
  await guest.goto("/projects/new");
  await expect(guest.getByRole("heading", { name: "Not allowed" })).toBeVisible();
  await expect(
    guest.getByText(/the right project:write, which owners, managers and admins have.* In this organization: owner/),
  ).toBeVisible();
  await guest.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "My day" }).click();
  await expect(guest.getByRole("heading", { name: "My day", level: 1 })).toBeVisible();

  // The page of the project says why.
  await openPage(page, `/projects/${project.slug}/people`);
  await expect(page.getByText(`${name} was given ${project.name} by name.`)).toBeVisible();
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByText(`${name} does not see ${secret.name}`)).toBeVisible();

  // The role holds at the next request of the same session.
  await openPage(page, `/settings/members?q=${encodeURIComponent(name)}`);
  await page.getByLabel(`Role of ${name}`).selectOption("member");
  await expect(page.getByText(`${name}: Member.`)).toBeVisible();
  // Loaded whole: what was fetched ahead for a link may be 30 s old.
  await openPage(guest, issue);
  await expect(guest.getByRole("button", { name: "Resolve", exact: true })).toBeVisible();

  // A form that the role does not allow any more leaves its page as it is.
  await page.getByLabel(`Role of ${name}`).selectOption("viewer");
  await expect(page.getByText(`${name}: Viewer.`)).toBeVisible();
  await guest.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect(guest.getByRole("status").filter({ hasText: "It needs the right event:write" })).toBeVisible();
  await expect(guest.getByRole("button", { name: "Resolve", exact: true })).toBeVisible();

  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await expect(page.getByText(`${name} was removed.`)).toBeVisible();
  await guest.goto("/issues");
  await expect(guest).toHaveURL(/\/sign-in/);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText(`${name} is a member again.`)).toBeVisible();
  await guest.getByLabel("E-mail").fill(person.email);
  await guest.getByLabel("Password").fill(person.password);
  await guest.getByRole("button", { name: "Sign in" }).click();
  await expect(guest.getByRole("link", { name: /Checkout broke/ })).toBeVisible();
  await context.close();
});

test("an invitation is revoked and taken back by keyboard, and its link works again", async ({
  page,
  browser,
  project,
}) => {
  await openPage(page, "/settings/invitations");
  const address = `carol@${project.slug}.example`;
  await page.getByLabel("E-mail").fill(address);
  await page.getByRole("button", { name: "Invite" }).press("Enter");
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: `Revoke the invitation of ${address}` }).press("Enter");
  await expect(page.getByText("The invitation is revoked: its link does not work any more.")).toBeVisible();
  const stranger = await browser.newContext();
  const guest = await stranger.newPage();
  expect((await guest.goto(link))?.status()).toBe(404);
  await page.keyboard.press("u");
  await expect(page.getByText("The invitation is back: its link works again.")).toBeVisible();
  expect((await guest.goto(link))?.status()).toBe(200);
  await stranger.close();
});

test("a rule of a provider is removed and put back by keyboard", async ({ page }) => {
  await openPage(page, "/settings/sign-in");
  await page.getByLabel("Issuer").fill("https://login.example.com");
  await page.getByLabel("Client ID").fill("culprit");
  await page.getByLabel("Client secret").fill("secret");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByLabel("Claim").fill("groups");
  await page.getByLabel("Value").fill("dev");
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  const rule = page.getByRole("button", { name: "Remove the rule groups = dev" });
  await rule.press("Enter");
  await expect(page.getByText("The rule is removed.")).toBeVisible();
  await expect(rule).toHaveCount(0);
  await page.keyboard.press("u");
  await expect(page.getByText("The rule is back.")).toBeVisible();
  await expect(rule).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { name: "Sign-in", level: 1 })).toBeVisible();
});

test("a team is made, gets a member and a project, and says so", async ({ page, project }) => {
  const team = `Team ${project.slug}`;
  await openPage(page, "/settings/teams");
  await page.getByLabel("Name", { exact: true }).fill(team);
  await page.getByRole("button", { name: "Create team" }).click();
  await expect(page.getByRole("heading", { name: team, level: 1 })).toBeVisible();
  await page.getByRole("checkbox", { name: project.name, exact: true }).check();
  await page.getByRole("group", { name: "Members" }).getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Save members and projects" }).click();
  await expect(page.getByText(`Members and projects of ${team} saved.`)).toBeVisible();
  await openPage(page, `/projects/${project.slug}/people`);
  await expect(page.getByText(`is in the team ${team}, which has ${project.name}.`)).toBeVisible();
});
