import { listIssues, send } from "../support/api.ts";
import { expect, openPage, test } from "../support/browser-test.ts";
import { makeError } from "../support/make-event.ts";

const commit = (id: string, message: string) => ({
  id: id.repeat(40).slice(0, 40),
  repository: "acme/web",
  author_name: "Grace Hopper",
  author_email: "grace@example.com",
  timestamp: "2026-11-20T10:00:00Z",
  message,
});

test("a commit that fixes an issue resolves it, and each leads to the other", async ({ page, project, server }) => {
  await project.store(makeError("Broken"));
  const [issue] = await listIssues(server, "", project.slug);
  const version = `${project.slug}@2.0.0`;
  const made = await send(server, "POST", "/organizations/default/releases/", {
    version,
    projects: [project.slug],
    commits: [
      commit("ab", `Round up\n\nFixes ${issue?.shortId.toLowerCase()} and NOBODY-1 <b>`),
      ...Array.from({ length: 250 }, (_, index) => commit(`c${index}-`, `tidy ${index}`)),
    ],
  });
  expect(made.status).toBe(201);

  await openPage(page, `/releases/${encodeURIComponent(version)}`);
  await expect(page.getByRole("navigation", { name: "Issues of this release" })).toContainText("Resolved1");
  await expect(page.getByRole("list", { name: "Resolved issues" })).toBeVisible();
  await page.getByRole("link", { name: /^Commits/ }).click();
  await expect(page.getByText("1 to 200 of 251, newest first")).toBeVisible();
  await page.getByRole("navigation", { name: "Pages of commits" }).getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("tidy 249")).toBeVisible();
  await page.getByRole("navigation", { name: "Pages of commits" }).getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText("and NOBODY-1 <b>")).toBeVisible();
  await page.getByRole("link", { name: issue?.shortId.toLowerCase() ?? "", exact: true }).click();

  await expect(page.getByText("It comes back when it happens in that release or a newer one.")).toBeVisible();
  const activity = page.getByRole("region", { name: "Activity" });
  await expect(activity).toContainText("Resolved in");
  await activity.getByRole("link", { name: "abababababab" }).click();
  await expect(page).toHaveURL(/\/commits$/);
});
