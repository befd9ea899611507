import { expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { partsOf, startMailServer } from "../support/mail-server.ts";
import { startServer } from "../support/start-server.ts";

test("a loud issue stores one of so many events, counts all, and its page says so", async () => {
  await using mail = await startMailServer();
  await using server = await startServer({ env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com" } });
  const visitor = await signIn(server);
  for (const rule of ["1", "2"]) await visitor.post("/alerts", { intent: "delete", rule });
  const alert = { intent: "save", name: "Six", match: "all", action: "members", frequency: "30", isEnabled: "on" };
  const six = { trigger: "events", eventsCount: "6", eventsMinutes: "60", conditions: "", allProjects: "on" };
  expect((await visitor.post("/alerts/new", { ...alert, ...six })).status).toBe(200);
  const save = (fields: Record<string, string>) =>
    visitor.post("/projects/shop/limits", { intent: "volume", above: "2", keepOneIn: "3", ...fields });
  const wrong = await save({ sample: "on", keepOneIn: "1" });
  expect([wrong.status, wrong.html.includes("whole number from 2 to")]).toEqual([400, true]);
  expect((await save({ sample: "on" })).status).toBe(200);

  for (let at = 0; at < 6; at++) {
    const { envelope } = toEventEnvelope({
      platform: "node",
      exception: { values: [{ type: "TypeError", value: "cart is undefined" }] },
      user: { id: String(at) },
    });
    expect((await sendEnvelope(server, envelope)).status).toBe(200);
  }
  await waitFor("the issue", async () => (await listIssues(server))[0]?.count === "6");
  const [issue] = await listIssues(server);
  expect(issue).toMatchObject({ count: "6", userCount: 6 });
  expect(await sumOutcomes(server, { outcome: "filtered", reason: "issue-sample" })).toBe(3);
  const page = await visitor.open(`/issues/${issue?.id}`);
  expect(page.html).toContain("3 events were counted and not stored");
  expect(page.html).toContain("about 1 of 2");
  expect((await visitor.open(`/issues/${issue?.id}/tags`)).html).toContain("each stands for about 2.0. They are few");
  // Three are stored, and the rule counts what came.
  await expect.poll(() => mail.received.length).toBe(1);
  const text = mail.received.map((letter) => partsOf(letter)["text/plain"]).join("\n");
  expect(text).toContain("Reached 6 events in 1 hour");
  const limits = await visitor.open("/projects/shop/limits");
  expect(limits.html).toContain("/projects/shop/filters/issue-sample");
  const example = await visitor.open("/projects/shop/filters/issue-sample");
  expect([example.status, example.html.includes("its issue has counted it")]).toEqual([200, true]);

  const path = "/projects/default/shop/volume/";
  expect(await getJson(server, path)).toEqual({
    spikeProtection: false,
    sample: { above: 2, keepOneIn: 3 },
    spike: null,
  });
  expect((await send(server, "PUT", path, { sample: null, spikeProtection: true })).status).toBe(200);
  expect(await getJson(server, path)).toMatchObject({ spikeProtection: true, sample: null });
  const off = await visitor.post("/projects/shop/limits", { intent: "turn-off-spike" });
  expect([off.status, off.html.includes("Spike protection is off.")]).toEqual([200, true]);
}, 90_000);
