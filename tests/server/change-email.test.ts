import { afterAll, beforeAll, expect, test } from "vitest";
import { waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { partsOf, startMailServer } from "../support/mail-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PUBLIC_URL = "http://culprit.example";
const PASSWORD = "the password of mia";

let server: TestServer;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer({
    refuse: (address) => (address.startsWith("gone@") ? { code: 550, message: "no such mailbox" } : null),
  });
  const env = { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", PUBLIC_URL, TRUST_PROXY: "1" };
  server = await startServer({ env });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

/** Somebody who joined by an invitation, signed in. */
async function join(on: TestServer, email: string, role = "member") {
  const owner = await signIn(on);
  const invited = await owner.post("/settings/invitations", { intent: "invite", role });
  const path = /\/invitation\/[\w-]{43}/.exec(invited.html)?.[0] ?? "";
  const browser = openCookieBrowser(on.url, { from: "192.0.2.1" });
  await browser.post(path, { name: "Mia", email, password: PASSWORD });
  expect((await browser.open("/settings")).html).toContain(email);
  return { browser, owner };
}

/** The path of the link in the newest mail to the address. */
async function findLink(to: string): Promise<string> {
  const found = await waitFor(`a mail to ${to}`, async () => mail.received.findLast((each) => each.to.includes(to)));
  return /\/change-email\/[\w-]{43}/.exec(partsOf(found)["text/plain"] ?? "")?.[0] ?? "";
}

const ask = (email: string, confirm = PASSWORD) => ({ intent: "profile", name: "Mia", email, confirm });
const signInAs = (email: string, from: string) =>
  openCookieBrowser(server.url, { from }).post("/sign-in", { email, password: PASSWORD });

test("a new address holds once it is confirmed, and the former one takes it back", async () => {
  const { browser } = await join(server, "mia@example.com");
  expect((await browser.post("/settings", ask("mia@new.example", "not the password"))).status).toBe(400);
  const asked = await browser.post("/settings", ask("mia@new.example"));
  expect(asked.html).toContain("A link is on its way to mia@new.example");
  expect((await signInAs("mia@new.example", "192.0.2.10")).status).toBe(400);
  const link = await findLink("mia@new.example");
  // A program that looks through mail opens it, which changes nothing.
  expect((await browser.open(link)).html).toContain("and with mia@new.example from then on");
  expect((await signInAs("mia@example.com", "192.0.2.11")).status).toBe(302);
  const confirmed = await browser.post(link, {});
  expect((await browser.ask(confirmed.to ?? "")).html).toContain("You sign in with mia@new.example.");
  expect((await browser.post(link, {})).status).toBe(404);
  // The session goes on; passwords are given with the new address.
  expect((await browser.open("/settings")).html).toContain("mia@new.example");
  expect((await signInAs("mia@new.example", "192.0.2.12")).status).toBe(302);
  expect((await signInAs("mia@example.com", "192.0.2.13")).status).toBe(400);

  const undo = await findLink("mia@example.com");
  const former = openCookieBrowser(server.url, { from: "192.0.2.14" });
  expect((await former.open(undo)).html).toContain("It goes back to mia@example.com");
  expect((await former.post(undo, {})).to).toContain("/reset-password/");
  expect((await browser.open("/settings")).to).toContain("/sign-in");
  expect((await signInAs("mia@example.com", "192.0.2.15")).status).toBe(302);
  expect((await former.open(undo)).status).toBe(404);
});

test("taken addresses are refused, and one person sends no more than five mails an hour", async () => {
  const { browser } = await join(server, "tom@example.com");
  const taken = await browser.post("/settings", ask(server.owner.email));
  expect([taken.status, taken.html.includes("Somebody else has this address")]).toEqual([409, true]);
  let last = 0;
  for (let asks = 0; asks < 5; asks++) last = (await browser.post("/settings", ask(`tom${asks}@new.example`))).status;
  expect(last).toBe(429);
});

test("a mail that is not taken is told on the page and in the log, and the address stays", async () => {
  const { browser } = await join(server, "ida@example.com");
  const refused = await browser.post("/settings", ask("gone@new.example"));
  expect([refused.status, refused.html.includes("did not take the mail")]).toEqual([502, true]);
  expect(refused.html).not.toContain("is on its way");
  const told = await server.waitForLog(({ msg }) => msg === "a mail about an account was not taken");
  expect(told).toMatchObject({ subject: "Confirm your address for Culprit", reason: "550 no such mailbox" });
  expect((await signInAs("ida@example.com", "192.0.2.20")).status).toBe(302);
});

test("an owner changes the address of a member, and nobody else does", async () => {
  const { browser, owner } = await join(server, "eva@example.com", "manager");
  const list = (await owner.open("/settings/members?q=eva%40example.com")).html;
  const path = /\/settings\/members\/\d+/.exec(list)?.[0] ?? "";
  const change = { intent: "address", email: "eva@new.example" };
  expect((await browser.post(path, change)).status).toBe(403);
  expect((await owner.post(path, { ...change, email: server.owner.email })).status).toBe(409);
  expect((await owner.post(path, change)).html).toContain("signs in with eva@new.example");
  expect((await browser.open("/settings")).html).toContain("eva@new.example");
  expect(await findLink("eva@example.com")).toContain("/change-email/");
});

test("without mail, members ask an owner, who has the own address at once", async () => {
  await using silent = await startServer();
  const { browser, owner } = await join(silent, "mia@example.com");
  const refused = await browser.post("/settings", ask("mia@new.example"));
  expect([refused.status, refused.html.includes("an owner changes addresses")]).toEqual([403, true]);
  const own = { ...ask("owner@new.example", silent.owner.password), name: "Owner" };
  expect((await owner.post("/settings", own)).html).toContain("Your name and address are saved");
});
