import { expect, test } from "vitest";
import { getJson, send } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

interface Rota {
  members: string[];
  overrides: unknown[];
  shifts: Array<{ user: { name: string }; isOverride: boolean }>;
}

const openTeam = async (person: Visitor) => (await person.open("/settings/teams/ops")).html.replaceAll("<!-- -->", "");

test("a team has a rota with overrides, by its page and by the web API, and the audit log has it", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  await person.post("/settings/teams", { intent: "create", name: "Ops" });
  await person.post("/settings/teams/ops", { intent: "access", "member-before": "", member: "1", "all-before": "0" });
  expect((await openTeam(person)).includes("This team has no rota")).toBe(true);
  expect((await send(server, "DELETE", "/teams/default/ops/rota/")).status).toBe(204);

  const form = { intent: "rota", "place-1": "1", weekday: "1", time: "09:00", timezone: "Europe/Berlin" };
  const refusals = [
    [{ ...form, "place-1": "" }, "Choose at least one member."],
    [{ ...form, "place-1": "0" }, "A place is a whole number from 1"],
    [{ ...form, weekday: "8" }, "Must be a day"],
    [{ ...form, time: "9" }, "Must be a time of day like 09:00."],
    [{ ...form, timezone: "Mars" }, "There is no time zone “Mars”."],
    [{ intent: "override", user: "1", from: "2030-01-01T09:00", to: "2030-01-02T09:00" }, "This team has no rota."],
  ] as const;
  for (const [fields, message] of refusals) {
    const refused = await person.post("/settings/teams/ops", fields);
    expect([refused.status >= 400, refused.html.includes(message)], message).toEqual([true, true]);
  }
  expect((await person.post("/settings/teams/ops", form)).status).toBe(200);
  expect((await openTeam(person)).includes("<b>owner</b> is on call, and nobody comes after them")).toBe(true);

  const override = { intent: "override", user: "1", from: "2030-01-01T09:00", to: "2030-01-02T09:00" };
  for (const [fields, message] of [
    [{ ...override, to: override.from }, "Must be later than the beginning."],
    [{ ...override, to: "2030-06-01T09:00" }, "An override lasts 60 days at most."],
    [{ ...override, user: "7" }, "Only members of the team can be on call."],
    [{ ...override, from: "soon" }, "Must be a day and a time."],
    [{ ...override, from: "2020-01-01T09:00", to: "2020-01-02T09:00" }, "Must be in the future."],
  ] as const)
    expect((await person.post("/settings/teams/ops", fields)).html.includes(message), message).toBe(true);
  expect((await person.post("/settings/teams/ops", override)).status).toBe(200);
  expect(/owner, from Tue,? 1 Jan 2030, 09:00 to Wed,? 2 Jan 2030, 09:00/.test(await openTeam(person))).toBe(true);

  const path = "/teams/default/ops/rota/";
  const rota = await getJson<Rota>(server, path);
  expect(rota).toMatchObject({
    members: ["1"],
    handover: { weekday: 1, time: "09:00", timezone: "Europe/Berlin" },
    overrides: [{ user: "1", from: "2030-01-01T08:00:00.000Z", to: "2030-01-02T08:00:00.000Z" }],
  });
  expect(rota.shifts[0]).toMatchObject({ user: { name: "owner" }, isOverride: false });
  const { shifts: _, ...body } = rota;
  expect((await send(server, "PUT", path, { ...body, overrides: [] })).status).toBe(200);
  expect((await getJson<Rota>(server, path)).overrides).toEqual([]);
  const refused = await send(server, "PUT", path, { ...body, members: ["1", "1"] });
  expect([refused.status, await refused.json()]).toEqual([400, { detail: "members: Each member stands in it once." }]);

  const rule = await send(server, "POST", "/projects/default/shop/rules/", {
    name: "On call",
    conditions: [{ id: "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition" }],
    actions: [{ id: "culprit.rules.actions.OnCallAction", team: 1 }],
    frequency: 0,
  });
  expect(await rule.json()).toMatchObject({ actions: [{ id: "culprit.rules.actions.OnCallAction", team: 1 }] });
  expect((await person.open("/alerts")).html.includes("the member on call in #ops")).toBe(true);
  expect((await person.open("/settings/audit")).html).toMatch(/Europe\/Berlin/);
  expect((await send(server, "DELETE", path)).status).toBe(204);
  expect((await openTeam(person)).includes("This team has no rota")).toBe(true);
}, 60_000);
