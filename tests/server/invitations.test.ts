import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pressUndo, signIn, type Visitor } from "../support/browse.ts";
import { startMailServer } from "../support/mail-server.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let owner: Visitor;
let projectId: string;

beforeAll(async () => {
  mail = await startMailServer({
    refuse: (address) => (address.startsWith("gone") ? { code: 550, message: "550 mailbox unknown" } : null),
  });
  server = await startServer({ env: { SMTP_URL: mail.url, MAIL_FROM: "Culprit <culprit@example.com>", PUBLIC_URL } });
  owner = await signIn(server);
  await makeProject(server, "store");
  await makeProject(server, "secret");
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
  projectId = String(db.prepare("SELECT id FROM projects WHERE slug = 'store'").get()?.id);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const PUBLIC_URL = "http://culprit.example";
/** A link as the server that is tested answers it. */
const toServer = (url = "") => url.replace(PUBLIC_URL, server.url);
const INVITATION = /http:\/\/[^"\s<]+\/invitation\/[\w-]{43}/;
const RESET = /http:\/\/[^"\s<]+\/reset-password\/[\w-]{43}/;

async function invite(fields: Record<string, string>): Promise<string> {
  const { html, status } = await owner.post("/settings/invitations", { intent: "invite", role: "viewer", ...fields });
  const [url] = INVITATION.exec(html) ?? [];
  if (!url) throw new Error(`inviting answered ${status}: ${html.slice(0, 2_000)}`);
  return toServer(url);
}

/** As somebody who is not signed in. */
async function post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { origin: server.url, accept: "text/html", ...headers },
    body: new URLSearchParams(fields),
  });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status: answer.status, to: answer.headers.get("location"), cookie, html: await answer.text() };
}

const open = (path: string, cookie: string) => fetch(server.url + path, { headers: { cookie, accept: "text/html" } });
/** Quoted-printable breaks lines, and writes `=` as `=3D`. */
const readMail = (to: string) => (mail.received.find((each) => each.to.includes(to))?.raw ?? "").replace(/=\r?\n/g, "");

test("an invitation is mailed and shown once, makes an account that sees what was chosen, and works once", async () => {
  const url = await invite({ email: "Grace@example.com", project: projectId });
  expect(readMail("grace@example.com")).toContain(url.slice(-43));
  const list = (await owner.open("/settings/invitations")).html;
  expect(list).toContain("grace@example.com");
  expect(list).not.toContain(url.slice(-43));
  const page = await fetch(url, { headers: { accept: "text/html" } });
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await page.text()).toContain(
    "invites you as a viewer. A viewer reads issues, events and projects, and changes",
  );
  const account = { name: "Grace", email: "eve@example.com", password: "a long password" };
  const short = await post(url, { ...account, password: "short" });
  expect([short.status, short.html.match(/>At least 8 characters\.</g)?.length]).toEqual([400, 1]);
  const joined = await post(url, account);
  expect(joined).toMatchObject({ status: 302, to: "/issues" });
  const statuses = ["/projects/store", "/projects/secret", "/settings/members", "/projects/store/settings"].map(
    async (path) => (await open(path, joined.cookie)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 403, 403]);
  // The address is the invitation's, whatever the form says.
  await signIn({ url: server.url, owner: { email: "grace@example.com", password: account.password } });
  expect((await post(url, account)).status).toBe(404);
});

test("a link that was revoked or replaced, or is over, is answered like one that never was", async () => {
  const first = await invite({ email: "bob@example.com" });
  const fields = { intent: "invite", role: "viewer", email: "bob@example.com" };
  const { html } = await owner.post("/settings/invitations", fields);
  expect(html).toContain("The link that this address had before does not work any more.");
  const second = toServer(INVITATION.exec(html)?.[0]);
  const gone = await fetch(first, { headers: { accept: "text/html" } });
  expect(gone.status).toBe(404);
  expect(await gone.text()).toContain("This link does not work any more");
  const id = /name="invitation" value="(\d+)"/.exec((await owner.open("/settings/invitations")).html)?.[1] ?? "";
  await owner.post("/settings/invitations", { intent: "revoke", invitation: id });
  expect((await post(second, { name: "Bob", password: "a long password" })).status).toBe(404);
  const third = await invite({});
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
  db.exec(`UPDATE invitations SET expires_at = ${Date.now() - 1}`);
  expect((await fetch(third)).status).toBe(404);
});

test("a revoked invitation that is taken back works by the same link, unless it was made again or is over", async () => {
  const path = "/settings/invitations";
  const url = await invite({ email: "carol@example.com" });
  const newest = async () => /name="invitation" value="(\d+)"/.exec((await owner.open(path)).html)?.[1] ?? "";
  const revoke = async () => owner.post(path, { intent: "revoke", invitation: await newest() });
  const revoked = await revoke();
  expect((await fetch(url)).status).toBe(404);
  const restored = await pressUndo(owner, revoked, "restore-invitation");
  expect(restored.html).toContain("The invitation is back: its link works again.");
  expect((await fetch(url)).status).toBe(200);
  const again = await pressUndo(owner, revoked, "restore-invitation");
  expect([again.status, again.html.includes("There is nothing to undo")]).toEqual([409, true]);
  const second = await revoke();
  const replacing = await invite({ email: "carol@example.com" });
  expect((await pressUndo(owner, second, "restore-invitation")).status).toBe(409);
  expect([(await fetch(url)).status, (await fetch(replacing)).status]).toEqual([404, 200]);
  const third = await revoke();
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
  db.exec(`UPDATE invitations SET expires_at = ${Date.now() - 1}`);
  const over = await pressUndo(owner, third, "restore-invitation");
  expect([over.status, over.html.includes("The time of this invitation is over.")]).toEqual([409, true]);
  expect((await fetch(replacing)).status).toBe(404);
  // The old link of one that got a new one is gone for good.
  const handed = await invite({});
  const replaced = await newest();
  await owner.post(path, { intent: "renew", invitation: replaced });
  expect((await owner.post(path, { intent: "restore-invitation", invitation: replaced })).status).toBe(409);
  expect((await fetch(handed)).status).toBe(404);
  const log = (await owner.open("/settings/audit/export?format=json&q=target%3Acarol%40example.com")).html;
  const actions = (JSON.parse(log) as Array<{ action: string }>).map(({ action }) => action.replace("invitation.", ""));
  expect(actions).toEqual(["revoke", "create", "revoke", "restore", "revoke", "create"]);
});

test("an address that has an account signs in first, and keeps its role; others do not take it over", async () => {
  const url = await invite({ project: projectId });
  const taken = await post(url, { name: "Eve", email: server.owner.email, password: "a long password" });
  expect(taken.status).toBe(409);
  expect(taken.html).toContain("Sign in</a>");
  const forOther = await invite({ email: "other@example.com" });
  const shown = await (await open(new URL(forOther).pathname, owner.cookie)).text();
  expect(shown).toContain("Sign out to use it");
  expect(shown).not.toContain("The invitation adds its teams and projects");
  expect((await post(forOther, {}, { cookie: owner.cookie })).status).toBe(403);
  expect(await post(url, {}, { cookie: owner.cookie })).toMatchObject({ status: 302, to: "/issues" });
  expect((await owner.open("/settings/invitations")).status).toBe(200);
});

test("a mail that is not taken says why, and the link is there all the same", async () => {
  const { html } = await owner.post("/settings/invitations", {
    intent: "invite",
    role: "member",
    email: "gone@example.com",
  });
  expect(html).toMatch(INVITATION);
  expect(html).toContain("The mail was not taken (550 550 mailbox unknown). Hand this link over.");
});

test("a password is reset by mail and by an owner's link, which end the sessions and work once", async () => {
  const joined = await post(await invite({ email: "cleo@example.com" }), {
    name: "Cleo",
    password: "the first password",
  });
  const asked = await post(`${server.url}/reset-password`, { email: "Cleo@example.com" });
  const nobody = await post(`${server.url}/reset-password`, { email: "nobody@example.com" });
  const words = "If a member has this address";
  expect([asked.status, nobody.status, asked.html.includes(words), nobody.html.includes(words)]).toEqual([
    200,
    200,
    true,
    true,
  ]);
  await expect.poll(() => mail.received.filter(({ to }) => to.includes("cleo@example.com")).length).toBe(2);
  const raw = (mail.received.findLast(({ to }) => to.includes("cleo@example.com"))?.raw ?? "").replace(/=\r?\n/g, "");
  const url = toServer(RESET.exec(raw)?.[0]);
  expect(mail.received.some(({ to }) => to.includes("nobody@example.com"))).toBe(false);
  expect(await post(url, { password: "the second password" })).toMatchObject({ status: 302, to: "/issues" });
  expect((await open("/issues", joined.cookie)).url).toContain("/sign-in");
  expect((await post(url, { password: "the third password" })).status).toBe(404);
  const cleo = { email: "cleo@example.com", password: "the second password" };
  await signIn({ url: server.url, owner: cleo });
  const id =
    /settings\/members\/(\d+)"[^>]*>Cleo</.exec((await owner.open("/settings/members?q=cleo")).html)?.[1] ?? "";
  const link = RESET.exec((await owner.post(`/settings/members/${id}`, { intent: "reset" })).html)?.[0];
  expect(await post(toServer(link), { password: "the fourth password" })).toMatchObject({ status: 302 });
  // Who reads the log, at whatever level, gets no link by it.
  const log = JSON.stringify(server.logLines());
  expect([log.includes("/reset-password/[hidden]"), /\/reset-password\/[\w-]{43}/.test(log)]).toEqual([true, false]);
});

test("a stranger asks for few mails, and an owner cannot be invited by a manager", async () => {
  const before = mail.received.length;
  const statuses: number[] = [];
  for (let time = 0; time < 11; time++)
    statuses.push((await post(`${server.url}/reset-password`, { email: server.owner.email })).status);
  expect(statuses.at(-1)).toBe(429);
  await expect.poll(() => mail.received.length).toBe(before + 3);
  const manager = await post(await invite({ email: "max@example.com", role: "manager" }), {
    name: "Max",
    password: "a long password",
  });
  const headers = { cookie: manager.cookie };
  const fields = { intent: "invite", role: "owner", email: "friend@example.com" };
  expect((await post(`${server.url}/settings/invitations`, fields, headers)).status).toBe(403);
  expect((await post(`${server.url}/settings/members/1`, { intent: "reset" }, headers)).status).toBe(403);
});

test("a name is one line, so that a mail has no words of it that look like the server's", async () => {
  const path = (await invite({ role: "manager", email: "eve@example.com" })).replace(server.url, "");
  const name = "Eve\r\nBcc: mallory@example.com\r\n\r\nYour password has expired";
  const joined = await post(server.url + path, { name, password: "a long password" });
  await owner.post("/settings/members", { intent: "rename-organization", name: "Acme\nand more" });
  const asked = { intent: "invite", role: "viewer", email: "frank@example.com" };
  await post(`${server.url}/settings/invitations`, asked, { cookie: joined.cookie });
  await owner.post("/settings/members", { intent: "rename-organization", name: "Default" });
  const mailed = readMail("frank@example.com");
  expect(mailed).toContain("Eve Bcc: mallory@example.com Your password has expired invites you to Acme and more on");
  expect(mailed).not.toMatch(/^(Bcc|Your password)/m);
});

test("a removal says how many tokens of the organization somebody made who knows them", async () => {
  const joined = await post(await invite({ role: "manager" }), {
    ...{ name: "Moe", email: "moe@example.com", password: "a long password" },
  });
  for (const kind of ["organization", "organization", "personal"])
    await post(
      `${server.url}/settings/tokens`,
      { intent: "create", kind, name: "CI", scope: "org:read" },
      { cookie: joined.cookie },
    );
  const list = (await owner.open("/settings/members?q=moe")).html;
  const member = /settings\/members\/(\d+)"[^>]*>Moe</.exec(list)?.[1] ?? "";
  const removed = await owner.post("/settings/members", { intent: "remove", member });
  expect(removed.html).toContain("Moe was removed. Tokens of the organization that they made still work (2).");
});

test("a link that somebody has just asked for is mailed before the server stops", async () => {
  await using post = await startMailServer();
  await using stopping = await startServer({
    env: { SMTP_URL: post.url, MAIL_FROM: "Culprit <culprit@example.com>", PUBLIC_URL },
  });
  const asked = await fetch(`${stopping.url}/reset-password`, {
    method: "POST",
    body: new URLSearchParams({ email: stopping.owner.email }),
    headers: { origin: stopping.url },
  });
  expect(asked.status).toBe(200);
  expect(await stopping.stop()).toBe(0);
  expect(post.received.map(({ to, raw }) => [to, RESET.test(raw.replace(/=\r\n/g, ""))])).toEqual([
    [[stopping.owner.email], true],
  ]);
});
