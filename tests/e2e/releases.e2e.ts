import type { Page } from "@playwright/test";
import { getJson, listIssues, send } from "../support/api.ts";
import { expect, openPage, type TestProject, test } from "../support/browser-test.ts";
import { findViolations, isSerious } from "../support/find-violations.ts";
import { makeError } from "../support/make-event.ts";
import type { TestServer } from "../support/start-server.ts";
import { createUploadClient, makeArtifactBundle, sha1, toChunk } from "../support/upload-client.ts";

const ago = (minutes: number) => Date.now() / 1000 - minutes * 60;
const rows = (page: Page) => page.getByRole("region", { name: "Releases" }).getByRole("row");
const row = (page: Page, version: string) =>
  rows(page).filter({ has: page.getByRole("link", { name: version, exact: true }) });

/** Versions of a test's own: releases belong to the whole organization. */
const versionOf = (project: TestProject, version: string) => `${project.slug}@${version}`;
const toPath = (version: string, tab = "") => `/releases/${encodeURIComponent(version)}${tab && `/${tab}`}`;

async function saveRelease(
  server: TestServer,
  project: TestProject,
  version: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const name = versionOf(project, version);
  const answer = await send(server, "POST", "/organizations/default/releases/", {
    version: name,
    projects: [project.slug],
    ...more,
  });
  if (!answer.ok) throw new Error(`making ${name} answered ${answer.status}: ${await answer.text()}`);
  return name;
}

function commit(id: string, path: string, more: Record<string, unknown> = {}) {
  return {
    id: id.padEnd(40, "0"),
    repository: "acme/shop",
    author_name: "Grace Hopper",
    author_email: "grace@example.com",
    timestamp: new Date(Date.now() - 3_600_000).toISOString(),
    message: `Change ${path}\n\nAt length.`,
    patch_set: [{ path, type: "M" }],
    ...more,
  };
}

const issueStatus = async (server: TestServer, project: TestProject) =>
  (await listIssues(server, "", project.slug))[0]?.status;

test("releases come from events and from tools, and are filtered, ordered and paged", async ({
  page,
  project,
  server,
}) => {
  const old = versionOf(project, "1.9.0");
  await project.store(makeError("Alpha", { release: old, timestamp: ago(60) }), makeError("Beta", { release: old }));
  const newer = await saveRelease(server, project, "1.10.0", { commits: [commit("a1", "src/pay.js")] });
  const deploys = `/organizations/default/releases/${encodeURIComponent(newer)}/deploys/`;
  await send(server, "POST", deploys, { environment: "staging" });
  await send(server, "POST", deploys, { environment: "production" });
  await saveRelease(server, project, "1.2.0");
  await saveRelease(server, project, "0.1.0", { status: "archived" });

  await openPage(page, "/issues");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { name: "Releases", level: 1 })).toBeVisible();
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: project.name });
  await expect(rows(page)).toHaveCount(4);
  const versions = () => rows(page).getByRole("cell").getByRole("link", { name: project.slug }).allTextContents();
  expect(await versions()).toEqual(["1.2.0", "1.10.0", "1.9.0"].map((version) => versionOf(project, version)));
  await expect(row(page, old)).toContainText("2 events");
  await expect(row(page, old)).toContainText("2 new issues");
  await expect(row(page, newer)).toContainText("1 commit");
  await expect(row(page, newer)).toContainText("Grace Hopper");
  await expect(row(page, newer)).toContainText("staging");
  await expect(row(page, newer)).toContainText("production");

  await page.getByRole("combobox", { name: "Order" }).selectOption("semver");
  await expect(page).toHaveURL(/sort=semver/);
  await expect.poll(versions).toEqual(["1.10.0", "1.9.0", "1.2.0"].map((version) => versionOf(project, version)));
  await page.getByRole("combobox", { name: "Status" }).selectOption("archived");
  await expect.poll(versions).toEqual([versionOf(project, "0.1.0")]);
  await page.getByRole("combobox", { name: "Status" }).selectOption("open");
  await page.getByRole("searchbox", { name: "Search releases" }).fill("1.1");
  await page.keyboard.press("Enter");
  await expect.poll(versions).toEqual([newer]);

  await page.goto(`/releases?project=${project.slug}`);
  await row(page, old).getByRole("link", { name: "2 new issues" }).click();
  await expect(page.getByRole("table", { name: "Issues" }).getByRole("row")).toHaveCount(3);

  for (let patch = 0; patch < 24; patch += 1) await saveRelease(server, project, `3.0.${patch}`);
  await page.goto(`/releases?project=${project.slug}`);
  await expect(rows(page)).toHaveCount(26);
  const pages = page.getByRole("navigation", { name: "Pages of releases" });
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(rows(page)).toHaveCount(3);
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(rows(page)).toHaveCount(26);
});

test("a release's page tells its issues, commits and deploys, compares it, and changes it", async ({
  page,
  project,
  server,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  const old = versionOf(project, "1.0.0");
  await project.store(
    makeError("Gone", { release: old, timestamp: ago(60) }),
    makeError("Stays", { release: old, timestamp: ago(50) }),
  );
  const version = await saveRelease(server, project, "1.1.0", {
    ref: "v1.1.0",
    url: "https://ci.example/builds/7",
    commits: [commit("b1", "src/pay.js"), commit("b2", "src/cart.js")],
  });
  await project.store(makeError("Stays", { release: version }), makeError("Comes", { release: version }));

  await openPage(page, toPath(version));
  await expect(page.getByRole("heading", { name: version, level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "ci.example/builds/7" })).toHaveAttribute(
    "href",
    "https://ci.example/builds/7",
  );
  await expect(page.getByRole("list", { name: "New issues" }).getByRole("listitem")).toHaveText(/ComesError/);
  await expect(page.getByRole("button", { name: "Delete this release" })).toHaveCount(0);
  await page.getByRole("button", { name: "Finalize" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Finalized" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Finalize" })).toHaveCount(0);
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("Archived", { exact: true })).toHaveCount(0);

  const tabs = page.getByRole("navigation", { name: "About this release" });
  await tabs.getByRole("link", { name: /^Commits/ }).click();
  const commits = page.getByRole("list", { name: "Commits" });
  await expect(commits).toContainText("Change src/pay.js");
  await commits.getByText("1 file").first().click();
  await expect(commits.getByText("src/pay.js changed")).toBeVisible();

  await tabs.getByRole("link", { name: /^Deploys/ }).click();
  await page.getByLabel("Address").fill("ftp://ci.example");
  await page.getByLabel("Environment").fill("production");
  await page.getByRole("button", { name: "Record deploy" }).click();
  await expect(page.getByText("Must begin with https:// or http://.")).toBeVisible();
  await page.getByLabel("Address").fill("https://ci.example/deploys/9");
  await page.getByRole("button", { name: "Record deploy" }).click();
  await expect(page.getByRole("list", { name: "Deploys" })).toContainText("production");

  await tabs.getByRole("link", { name: "Compare" }).click();
  await expect(page.getByRole("list", { name: "Issues only in this release" })).toContainText("ComesError");
  await expect(page.getByRole("list", { name: "Issues gone since" })).toContainText("GoneError");
  await expect(page.getByText("1 issue only in this one, 1 issue only in the other, 1 issue in both.")).toBeVisible();

  await page.getByRole("link", { name: `Previous release: ${old}` }).click();
  await expect(page.getByRole("heading", { name: old, level: 1 })).toBeVisible();
  await page.getByRole("link", { name: `Next release: ${version}` }).click();
  await expect(page.getByRole("heading", { name: version, level: 1 })).toBeVisible();

  // The deploy marks the graph of the issue, which names its releases.
  await page
    .getByRole("list", { name: "New issues" })
    .getByRole("link", { name: /ComesError/ })
    .click();
  await expect(page.getByRole("figure", { name: /^Events over time/ }).getByRole("listitem")).toContainText(
    `Deploy of ${version} to production`,
  );
  await expect(page.getByRole("list", { name: "Facts of this issue" })).toContainText(version);
});

test("an issue that is resolved in the next release comes back with a newer one, and not with an older one", async ({
  page,
  project,
  server,
}) => {
  const [v1, v2, v3] = ["1.0.0", "1.1.0", "1.2.0"].map((version) => versionOf(project, version));
  await project.store(makeError("Back", { release: v2 }));
  await openPage(page, `/issues/${project.slug}-1`);
  await page.locator("summary", { hasText: "Fixed in a release or commit" }).click();
  await page.getByRole("button", { name: "Fixed in the next release" }).click();
  await expect(page.getByText(`Resolved in the next release after ${v2}.`)).toBeVisible();
  expect(await issueStatus(server, project)).toBe("resolved");

  await project.store(makeError("Back", { release: v1 }), makeError("Back", { release: v2 }));
  expect(await issueStatus(server, project)).toBe("resolved");
  await page.reload();
  await expect(page.getByRole("status").filter({ hasText: "in the next release after" })).toBeVisible();

  await project.store(makeError("Back", { release: v3 }));
  expect(await issueStatus(server, project)).toBe("unresolved");
  await page.reload();
  await expect(page.getByText("Regressed", { exact: true })).toBeVisible();
  const activity = page.getByRole("region", { name: "Activity" });
  await expect(activity).toContainText(`resolved it in the next release after ${v2}`);
  await expect(activity).toContainText(`Happened again after it was resolved, in ${v3}`);
  await page.goto(`${toPath(v3 ?? "")}?issues=regressed`);
  await expect(page.getByRole("list", { name: "Regressed issues" })).toContainText("BackError");
});

test("an issue is resolved in the current release and by a commit, and both are undone", async ({
  page,
  project,
  server,
}) => {
  const version = versionOf(project, "2.0.0");
  await saveRelease(server, project, "2.0.0", { commits: [commit("c1", "src/pay.js")] });
  await project.store(makeError("Fixed", { release: version }));
  await openPage(page, `/issues/${project.slug}-1`);
  await page.keyboard.press("Shift+E");
  await expect(page.getByText(`Resolved in the next release after ${version}.`)).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  const options = page
    .locator("summary", { hasText: "Fixed in a release or commit" })
    .or(page.getByRole("button", { name: "Fixed in a release or commit" }));
  await options.click();
  await page.getByRole("button", { name: "Fixed in the current release" }).click();
  await expect(page.getByText(`Resolved in ${version}.`)).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Put back as it was.")).toBeVisible();
  expect(await issueStatus(server, project)).toBe("unresolved");

  await options.click();
  await page.getByLabel("Commit id").fill("feedbeef");
  await page.getByLabel("Repository").selectOption("acme/shop");
  await page.getByRole("button", { name: "Fixed by this commit" }).click();
  await expect(page.getByText("Resolved by commit feedbeef of acme/shop.")).toBeVisible();
  await saveRelease(server, project, "2.1.0", { commits: [commit("d1", "src/a.js", { id: "feedbeef" })] });
  await page.reload();
  const notice = page.getByRole("status").filter({ hasText: "Resolved in" });
  await expect(notice.getByRole("link", { name: versionOf(project, "2.1.0") })).toBeVisible();
  await page.goto(`${toPath(versionOf(project, "2.1.0"))}?issues=resolved`);
  await expect(page.getByRole("list", { name: "Resolved issues" })).toContainText("FixedError");
});

test("several are resolved in the next release at once, and an undo keeps what they waited for", async ({
  page,
  project,
  server,
}) => {
  const version = versionOf(project, "1.0.0");
  await project.store(makeError("Alpha", { release: version }), makeError("Beta", { release: version }));
  const all = `/issues?project=${project.slug}`;
  await openPage(page, all);
  const check = () => page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const actions = page.getByRole("group", { name: "Change the selected issues" });
  await check();
  await actions.getByRole("button", { name: "Fixed in next release" }).click();
  await expect(page.getByRole("status").filter({ hasText: "2 issues resolved in the next release." })).toBeVisible();

  await openPage(page, `${all}&q=is:resolved`);
  await check();
  await actions.getByRole("button", { name: "Archive" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: "2 issues archived." })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(page.getByRole("status").filter({ hasText: "Undone: 2 issues as before." })).toBeVisible();
  await page.goto(`/issues/${project.slug}-1`);
  await expect(page.getByRole("status").filter({ hasText: "in the next release after" })).toBeVisible();
  expect(await issueStatus(server, project)).toBe("resolved");
});

test("an upload is listed with its debug ids, and deleted", async ({ page, project, server }) => {
  const version = await saveRelease(server, project, "1.0.0");
  const debugId = crypto.randomUUID();
  const bundle = makeArtifactBundle({ debugId });
  const client = createUploadClient(server);
  await client.postChunks([toChunk(bundle)]);
  const assembled = await client.assemble({
    checksum: sha1(bundle),
    chunks: [sha1(bundle)],
    projects: [project.slug],
    version,
    dist: "web",
  });
  expect(assembled.status).toBe(200);

  await openPage(page, toPath(version, "files"));
  const uploads = page.getByRole("list", { name: "Uploads" });
  await expect(uploads).toContainText("dist web");
  const sums = page.getByRole("link", { name: "its file mapped" });
  await sums.click();
  await expect(page.getByRole("heading", { name: "Source maps", level: 1 })).toBeVisible();
  await expect(page.getByText(`Of release ${version}: its file mapped`)).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: version, exact: true }).first().click();
  await expect(page.getByRole("heading", { name: version, level: 1 })).toBeVisible();
  await page
    .getByRole("navigation", { name: "About this release" })
    .getByRole("link", { name: "Files", exact: true })
    .click();
  await uploads.getByRole("link", { name: "Show files" }).click();
  await expect(uploads.getByText("~/app.js.map")).toBeVisible();
  await expect(uploads.getByText(debugId).first()).toBeVisible();
  await uploads.getByText("Delete", { exact: true }).click();
  await uploads.getByRole("button", { name: /^Delete upload \d+$/ }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Upload \d+ is deleted\./ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No files yet" })).toBeVisible();
  await expect(sums).toHaveCount(0);
  const files = await getJson<unknown[]>(
    server,
    `/organizations/default/releases/${encodeURIComponent(version)}/files/`,
  );
  expect(files).toEqual([]);

  await page.getByText("Delete", { exact: true }).click();
  await page.getByRole("button", { name: "Delete this release" }).click();
  await expect(page.getByRole("heading", { name: "Releases", level: 1 })).toBeVisible();
});

test("frames lead to their lines in the repository, and commits that touched them are suspects", async ({
  page,
  project,
  server,
  complaints,
}) => {
  complaints.expect(/status of 400/);
  const version = await saveRelease(server, project, "1.0.0", {
    commits: [commit("e1", "packages/web/src/pay.js"), commit("e2", "README.md")],
  });
  await project.store(makeError("Linked", { release: version }));
  await openPage(page, `/projects/${project.slug}/settings`);
  const settings = page.getByRole("region", { name: "Links to the code" });
  await settings.getByLabel("Host").selectOption("github");
  await settings.getByLabel("Repository", { exact: true }).fill("acme/shop");
  await settings.getByRole("button", { name: "Save links" }).click();
  await expect(settings.getByText("The address of the repository’s page")).toBeVisible();
  await settings.getByLabel("Repository", { exact: true }).fill("https://github.com/acme/shop");
  await settings.getByRole("button", { name: "Add row" }).click();
  await page.keyboard.press("Tab");
  await page.keyboard.type("packages/web");
  await settings.getByRole("button", { name: "Save links" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Links to the code saved." })).toBeVisible();

  await page.goto(`/issues/${project.slug}-1`);
  const revision = "e1".padEnd(40, "0");
  await expect(page.getByRole("link", { name: "Open src/charge.js:12:9 in GitHub" })).toHaveAttribute(
    "href",
    `https://github.com/acme/shop/blob/${revision}/packages/web/src/charge.js#L12`,
  );
  const suspects = page.getByRole("list", { name: "Suspect commits" }).getByRole("listitem");
  await expect(suspects).toHaveCount(1);
  await expect(suspects).toContainText("Grace Hopper");
  await expect(suspects).toContainText("changed packages/web/src/pay.js, where payLinked is");
  await expect(suspects.getByRole("link")).toHaveAttribute("href", `https://github.com/acme/shop/commit/${revision}`);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("releases are filtered, a deploy is noted, and an issue resolved in the next release", async ({
    page,
    project,
    server,
  }) => {
    const version = versionOf(project, "1.0.0");
    await project.store(makeError("Plain", { release: version }));
    await saveRelease(server, project, "2.0.0", { status: "archived" });
    await page.goto("/releases");
    await page.getByRole("combobox", { name: "Project" }).selectOption({ label: project.name });
    await page.getByRole("combobox", { name: "Status" }).selectOption("all");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(rows(page)).toHaveCount(3);
    await row(page, version).getByRole("link", { name: version, exact: true }).click();
    await page
      .getByRole("navigation", { name: "About this release" })
      .getByRole("link", { name: /^Deploys/ })
      .click();
    await page.getByLabel("Environment").fill("production");
    await page.getByRole("button", { name: "Record deploy" }).click();
    await expect(page.getByRole("list", { name: "Deploys" })).toContainText("production");

    await page.goto(`/issues/${project.slug}-1`);
    await page.locator("summary", { hasText: "Fixed in a release or commit" }).click();
    await page.getByRole("button", { name: "Fixed in the current release" }).click();
    await expect(page.getByText(`Resolved in ${versionOf(project, "2.0.0")}.`)).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Put back as it was.")).toBeVisible();
    expect(await issueStatus(server, project)).toBe("unresolved");
  });
});

test.describe("axe finds nothing serious", () => {
  const look = async (page: Page) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const serious = (await findViolations(page)).filter(isSerious);
      expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    }
  };
  const furnish = async (server: TestServer, project: TestProject) => {
    const version = await saveRelease(server, project, "1.1.0", { commits: [commit("f1", "src/pay.js")] });
    await send(server, "POST", `/organizations/default/releases/${encodeURIComponent(version)}/deploys/`, {
      environment: "production",
    });
    await project.store(
      makeError("Axe", { release: versionOf(project, "1.0.0"), timestamp: ago(60) }),
      makeError("Axe2", { release: version }),
    );
    return version;
  };

  test("in the list of releases, and above an issue", async ({ page, project, server }) => {
    await furnish(server, project);
    await openPage(page, `/releases?project=${project.slug}`);
    await look(page);
    await openPage(page, `/issues/${project.slug}-2`);
    await page.locator("summary", { hasText: "Fixed in a release or commit" }).click();
    await expect(page.getByRole("button", { name: "Fixed by this commit" })).toBeVisible();
    await look(page);
  });

  for (const tabs of [
    ["", "commits"],
    ["deploys", "compare"],
  ])
    test(`on a release: ${tabs.map((tab) => tab || "issues").join(" and ")}`, async ({ page, project, server }) => {
      const version = await furnish(server, project);
      for (const tab of tabs) {
        await openPage(page, toPath(version, tab));
        await look(page);
      }
    });
});

test("a release without a page is not found, and a version may hold what addresses escape", async ({
  page,
  project,
  complaints,
}) => {
  complaints.expect(/status of 404/);
  const version = `${project.slug} 50% #1 ?x=1 %2F.data`;
  await project.store(makeError("Odd", { release: version }));
  await openPage(page, `/releases?project=${project.slug}`);
  await rows(page).getByRole("link", { name: project.slug }).click();
  await expect(page.getByRole("heading", { name: version, level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: version, level: 1 })).toBeVisible();
  const missing = await page.goto("/releases/nobody");
  expect(missing?.status()).toBe(404);
  expect((await page.goto(`${toPath(version)}/nothing`))?.status()).toBe(404);
});
