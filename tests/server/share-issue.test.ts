import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { pressUndo, signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let issueId: string;

beforeAll(async () => {
  server = await startServer();
  const id = crypto.randomUUID().replaceAll("-", "");
  const stacktrace = {
    frames: [
      { filename: "app/cart.ts", function: "total", lineno: 12, in_app: true, vars: { hush: "hush-variable" } },
      { filename: "node_modules/hush-library.js", function: "call", lineno: 1, in_app: false },
    ],
  };
  const event = {
    user: { email: "hush-user@example.com" },
    request: { url: "https://hush-request.example" },
    breadcrumbs: { values: [{ message: "hush-breadcrumb" }] },
    exception: { values: [{ type: "CartError", value: "no cart of hush@example.com", stacktrace }] },
  };
  await sendEnvelope(server, toEventEnvelope(event, id).envelope);
  issueId = String((await waitForEvent(server, id)).groupID);
});
afterAll(() => server.stop());

const share = async () => {
  const answer = await send(server, "PUT", `/issues/${issueId}/`, { isPublic: true });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { isPublic: boolean; shareId: string };
};
const open = (token: string) => fetch(`${server.url}/share/issue/${token}`);

test("a stranger with a link sees title and in-app frames, and nothing of users, requests and variables", async () => {
  const { isPublic, shareId } = await share();
  expect(isPublic).toBe(true);
  expect(await getJson(server, `/issues/${issueId}/`)).toMatchObject({ isPublic: true, shareId: null });
  const page = await open(shareId);
  expect(page.status).toBe(200);
  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  const text = await page.text();
  expect(text).toContain("CartError");
  expect(text).toContain("total");
  expect(text).toContain("Left out are variables");
  expect(text).not.toMatch(/hush/);
  const asData = await (await fetch(`${server.url}/share/issue/${shareId}.data`)).text();
  expect(asData).toContain("CartError");
  expect(asData).not.toMatch(/hush/);

  expect((await send(server, "PUT", `/issues/${issueId}/`, { isPublic: false })).status).toBe(200);
  expect(await getJson(server, `/issues/${issueId}/`)).toMatchObject({ isPublic: false });
  expect((await open(shareId)).status).toBe(404);
});

test("a wrong token, an ended one and another text are answered alike", async () => {
  const { shareId } = await share();
  await send(server, "PUT", `/issues/${issueId}/`, { isPublic: false });
  const answers = await Promise.all(
    [shareId, "x".repeat(43), "x", `${issueId}`].map(async (token) => {
      const answer = await open(token);
      return { status: answer.status, text: (await answer.text()).match(/<main.*<\/main>/s)?.[0] };
    }),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ status: 404, text: expect.stringContaining("This link does not work any more") });
});

test("a link that was ended comes back with Undo, unless somebody ended all links since", async () => {
  const owner = await signIn(server);
  const { shareId } = await share();
  const path = `/issues/${issueId}/share`;
  const id = /name="share" value="(\d+)"/.exec((await owner.open(path)).html)?.[1] ?? "";
  const end = () => owner.post(path, { intent: "end-share", share: id });
  const ended = await end();
  expect((await open(shareId)).status).toBe(404);
  expect(await getJson(server, `/issues/${issueId}/`)).toMatchObject({ isPublic: false });
  expect((await pressUndo(owner, ended, "restore-share")).html).toContain("The link works again.");
  expect((await open(shareId)).status).toBe(200);
  expect((await pressUndo(owner, ended, "restore-share")).status).toBe(409);
  await end();
  await send(server, "PUT", `/issues/${issueId}/`, { isPublic: false });
  const refused = await pressUndo(owner, ended, "restore-share");
  expect([refused.status, refused.html.includes("There is nothing to undo")]).toEqual([409, true]);
  expect((await open(shareId)).status).toBe(404);
  const { html } = await owner.open("/settings/audit/export?format=json&q=action%3Ashare.restore");
  expect(JSON.parse(html)).toHaveLength(1);
});

test("many issues are not shared at once, and a project's issues not without the right", async () => {
  const answer = await send(server, "PUT", `/organizations/default/issues/?id=${issueId}`, { isPublic: true });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("isPublic: is of one issue");
});

test("an address may look so often in a minute, and is then told to wait", async () => {
  let status = 0;
  for (let look = 0; look < 70 && status !== 429; look++) {
    const answer = await open("x".repeat(43));
    status = answer.status;
    if (status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    await answer.text();
  }
  expect(status).toBe(429);
});
