import { expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const FORM = {
  project: "shop",
  measure: "errors:count()",
  query: "environment:production",
  windowMinutes: "30",
  comparison: "none",
  direction: "above",
  critical: "2",
};

test("a figure is previewed over what is stored, watched, and opens an issue that ends by itself", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  let last = "";
  for (const [index, environment] of ["production", "production", "production", "staging"].entries()) {
    const timestamp = Date.now() / 1000 - 600 - index;
    const { eventId, envelope } = toEventEnvelope({ message: "the cart is empty", environment, timestamp });
    await sendEnvelope(server, envelope);
    last = eventId;
  }
  const { groupID } = await waitForEvent(server, last);

  const refused = await person.post("/metric-monitors/new", { ...FORM, intent: "save", name: "Carts", critical: "x" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("Must be a number.");
  const preview = await person.post("/metric-monitors/new", { ...FORM, intent: "preview", name: "" });
  expect(preview.status).toBe(200);
  expect(preview.html).toMatch(/1 time<\/b>.*an issue would have opened/s);
  const none = await person.post("/metric-monitors/new", { ...FORM, intent: "use:3", name: "" });
  expect(none.html).toMatch(/0 times<\/b>/);
  expect(none.html).toContain("is above 3, an issue opens");
  expect((await person.open("/metric-monitors")).html).toContain("No figure is watched");

  const made = await person.post("/metric-monitors/new", { ...FORM, intent: "save", name: "Carts" });
  const path = /\/metric-monitors\/\d+/.exec(made.url)?.[0] ?? "";
  await expect
    .poll(async () => (await person.open(path)).html.includes(">Critical</span>"), { interval: 500 })
    .toBe(true);
  const listOpen = async () => {
    const issues = await getJson<Array<{ id: string; title: string }>>(server, "/projects/default/shop/issues/");
    return issues.filter(({ id }) => id !== groupID).map(({ title }) => title);
  };
  await expect.poll(listOpen).toEqual(["Carts: the number of errors was 3, above 2"]);

  // Another line: the next look decides. A pause ends the trouble at once.
  await person.post(path, { intent: "pause" });
  await expect
    .poll(async () =>
      getJson<unknown[]>(server, "/projects/default/shop/issues/?query=is:resolved").then(({ length }) => length),
    )
    .toBe(1);
  const id = /\d+$/.exec(path)?.[0] ?? "";
  const deleted = await person.post("/metric-monitors", { intent: "delete", monitor: id });
  expect(deleted.html).toContain("Carts is deleted.");
  const restored = await person.post("/metric-monitors", { ...FORM, intent: "restore", name: "Carts" });
  expect(restored.html).toContain("Carts is watched from now on.");
});
