import type { Locator, Page } from "@playwright/test";
import { getJson, send } from "../support/api.ts";
import { expect, openPage, type TestProject, test } from "../support/browser-test.ts";
import { findViolations } from "../support/find-violations.ts";
import type { TestServer } from "../support/start-server.ts";
import { createUploadClient, makeArtifactBundle, sha1, toChunk } from "../support/upload-client.ts";

const APP = "https://shop.example/assets/app.js";

function minifiedError(debugId: string | null, more: Record<string, unknown> = {}): Record<string, unknown> {
  const frame = (name: string) => ({ abs_path: APP, filename: APP, lineno: 1, colno: 1, function: name, in_app: true });
  return {
    platform: "javascript",
    exception: {
      values: [{ type: "TypeError", value: "x is not a function", stacktrace: { frames: [frame("a"), frame("b")] } }],
    },
    ...(debugId === null ? {} : { debug_meta: { images: [{ type: "sourcemap", code_file: APP, debug_id: debugId }] } }),
    ...more,
  };
}

async function upload(server: TestServer, project: TestProject, bundle: Buffer, more: Record<string, unknown> = {}) {
  const client = createUploadClient(server);
  await client.postChunks([toChunk(bundle)]);
  const checksum = sha1(bundle);
  const answer = await client.assemble({ projects: [project.slug], checksum, chunks: [checksum], ...more });
  expect(await answer.json()).toMatchObject({ state: "ok" });
}

const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

async function expectAccessible(page: Page): Promise<void> {
  const violations = await findViolations(page, { tags: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

test("an event's page says why its frames cannot be read, and reads them once the map is there", async ({
  page,
  project,
  server,
}) => {
  const debugId = crypto.randomUUID();
  const [eventId] = await project.store(minifiedError(debugId));
  await openPage(page, `/events/${eventId}`);
  const stack = region(page, "Stack trace");
  await expect(stack).toContainText(`All 2 frames wait for the source map of debug id ${debugId}.`);
  const command = `sentry-cli --url ${server.url} sourcemaps upload --org default --project ${project.slug} ./dist`;
  await expect(stack.getByRole("status").filter({ hasText: "All 2 frames" })).toContainText(command);

  const why = stack.getByText("Why is this frame not readable?").first();
  await why.focus();
  await page.keyboard.press("Enter");
  const steps = stack.getByRole("listitem").filter({ hasText: "Not uploaded yet" });
  await expect(steps.filter({ hasText: "Bundle" }).last()).toContainText(
    `No upload of this project has debug id ${debugId}.`,
  );
  await expectAccessible(page);

  await stack.getByText("How to fix it").click();
  await stack.getByRole("link", { name: "All steps" }).first().click();
  await expect(region(page, "Source maps")).toBeInViewport();
  const problems = region(page, "Problems with this event");
  await expect(problems).toContainText(`${APP} its source map was not uploaded`);

  await upload(server, project, makeArtifactBundle({ debugId }));
  // On a busy machine, reading a map for the first time can take longer than a page waits; it goes on, and a later look has it.
  await expect(async () => {
    await page.reload();
    await expect(stack).toContainText("app.ts", { timeout: 1_000 });
  }).toPass();
  await expect(stack.getByText("Why is this frame not readable?")).toHaveCount(0);
  await stack.getByText("How this frame was mapped").first().click();
  await expect(stack).toContainText("Line 1, column 1 is app.ts:1.");
  await expectAccessible(page);

  // Stored events are mapped in the background: the page says so, and that nothing waits any more.
  await page.goto(`/projects/${project.slug}/source-maps`);
  await expect(async () => {
    await page.reload();
    await expect(region(page, "Waiting for source maps and mappings")).toContainText("Nothing waits", {
      timeout: 1_000,
    });
  }).toPass();
  await expect(page.getByText(/events? have readable frames now|are being mapped with the new uploads/)).toBeVisible();
});

test("an Android event's page says which mapping its names wait for, and shows them once it is there", async ({
  page,
  project,
  server,
}) => {
  const uuid = crypto.randomUUID();
  const frames = [{ module: "a.a", function: "b", filename: "SourceFile", lineno: 2 }];
  const [eventId] = await project.store({
    platform: "java",
    exception: { values: [{ type: "d", module: "a", value: "refused", stacktrace: { frames } }] },
    debug_meta: { images: [{ type: "proguard", uuid }] },
  });
  await openPage(page, `/events/${eventId}`);
  const stack = region(page, "Stack trace");
  const missing = stack.getByText("the mapping of this build was not uploaded");
  await missing.focus();
  await missing.click();
  await expect(stack).toContainText(
    `sentry-cli --url ${server.url} upload-proguard --org default --project ${project.slug} --uuid ${uuid}`,
  );
  await expect(stack).toContainText("a.a:2");
  await expectAccessible(page);

  const mapping = Buffer.from(
    "com.example.Cart -> a.a:\n    1:4:int total(int):20:23 -> b\ncom.example.Refused -> a.d:\n",
  );
  await createUploadClient(server).postChunks([toChunk(mapping)]);
  const path = `/projects/default/${project.slug}/files/difs/assemble/`;
  const body = { [sha1(mapping)]: { name: `proguard/${uuid}.txt`, chunks: [sha1(mapping)] } };
  expect(await (await send(server, "POST", path, body)).json()).toMatchObject({ [sha1(mapping)]: { state: "ok" } });
  await expect(async () => {
    await page.reload();
    await expect(stack).toContainText("com.example.Cart:21", { timeout: 1_000 });
  }).toPass();
  await stack.getByText("the mapping has the class of 1 of 1 frames").click();
  await expect(stack).toContainText(`Mapping ${uuid} was used`);
  await expectAccessible(page);
  await stack.getByRole("link", { name: "As sent" }).click();
  await expect(stack).toContainText("a.a:2");

  await page.goto(`/projects/${project.slug}/source-maps`);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await expect(uploads.getByRole("listitem")).toContainText(["ProGuard mapping"]);
  await expect(uploads).toContainText(uuid);
  await expectAccessible(page);
});

test("what a project waits for is listed with what fixes it, and goes with the upload, which can be looked at and deleted", async ({
  page,
  project,
  server,
}) => {
  const debugId = crypto.randomUUID();
  const release = `${project.slug}@1.0`;
  await project.store(minifiedError(debugId), minifiedError(null, { release, dist: "3" }));
  await openPage(page, `/projects/${project.slug}`);
  await page.getByRole("link", { name: "Source maps" }).click();
  await expect(page.getByRole("heading", { name: "Source maps", level: 1 })).toBeVisible();

  const waiting = region(page, "Waiting for source maps and mappings");
  const byId = waiting.getByRole("listitem").filter({ has: page.getByRole("heading", { name: debugId }) });
  await expect(byId).toContainText("1 event since");
  await expect(byId).toContainText("Not uploaded yet");
  await expect(byId.getByRole("link", { name: /-1$/ })).toBeVisible();
  const byRelease = waiting.getByRole("listitem").filter({ has: page.getByRole("heading", { name: release }) });
  await byRelease.getByText("Nothing that was uploaded answers").click();
  await expect(byRelease).toContainText(`--release ${release} --dist 3 --url-prefix '~/assets/' ./dist`);
  await expectAccessible(page);

  await upload(server, project, makeArtifactBundle({ debugId }), { version: release });
  await page.reload();
  const upload1 = region(page, "Uploads").getByRole("listitem").filter({ hasText: release });
  await expect(upload1).toContainText("2 files");
  await upload1.getByRole("link", { name: "Show files" }).click();
  await expect(upload1.getByRole("row", { name: /~\/app\.js\.map Source map/ })).toContainText(debugId);
  await expectAccessible(page);

  await upload1.getByRole("link", { name: release }).click();
  await expect(page.getByText(`Of release ${release}: 1 of 2 files mapped, 1 missing`)).toBeVisible();
  await expect(byRelease).toBeVisible();
  await expect(byId).toHaveCount(0);
  await upload1.getByText("Delete", { exact: true }).click();
  await upload1.getByRole("button", { name: /^Delete upload \d+$/ }).click();
  await expect(page.getByText(/^Upload \d+ is deleted\./)).toBeVisible();
  await expect(region(page, "Uploads")).toContainText("Nothing was uploaded for this release");
  const left = await getJson<{ uploads: unknown[] }>(
    server,
    `/projects/default/${project.slug}/sourcemaps/doctor/?${new URLSearchParams({ release })}`,
  );
  expect(left.uploads).toEqual([]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the sentence and the steps are there", async ({ page, project }) => {
    const [eventId] = await project.store(minifiedError(crypto.randomUUID()));
    await page.goto(`/events/${eventId}`);
    const stack = region(page, "Stack trace");
    await stack.getByText("Why is this frame not readable?").first().click();
    await expect(
      stack.locator("li details[open] > p", { hasText: "No upload of this project has debug id" }),
    ).toBeVisible();
    await expect(region(page, "Source maps")).toContainText("Not uploaded yet");
  });
});

test("fetching what was not uploaded is off, and is switched on and off in the settings", async ({ page, project }) => {
  await openPage(page, `/projects/${project.slug}/settings`);
  const settings = region(page, "Source maps");
  const box = settings.getByRole("checkbox", { name: "Fetch source maps that nobody uploaded" });
  await expect(box).not.toBeChecked();
  await box.check();
  await settings.getByRole("button", { name: "Save source maps" }).click();
  await expect(page.getByText("Source maps that nobody uploaded are fetched from now on.")).toBeVisible();
  await page.reload();
  await expect(box).toBeChecked();
  await box.uncheck();
  await settings.getByRole("button", { name: "Save source maps" }).click();
  await expect(page.getByText("Source maps are not fetched any more.")).toBeVisible();
  await page.reload();
  await expect(box).not.toBeChecked();
});

test("the tools' snippets carry the project's values, and the choice is in the address", async ({ page, project }) => {
  await openPage(page, `/projects/${project.slug}/source-maps`);
  const setUp = region(page, "Upload from a build");
  await expect(setUp).toContainText(`--project ${project.slug} ./dist`);
  for (const tool of ["Vite", "webpack", "esbuild", "React Router"]) {
    await setUp.getByRole("link", { name: tool, exact: true }).click();
    await expect(setUp.getByRole("link", { name: tool, exact: true })).toHaveAttribute("aria-current", "true");
    await expect(setUp).toContainText(`project: "${project.slug}"`);
  }
  await expect(page).toHaveURL(/tool=react-router/);
  await expect(setUp).toContainText(`/api/0/projects/default/${project.slug}/sourcemaps/doctor/`);
});
