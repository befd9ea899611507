import { expect, test } from "vitest";
import { getJson, send } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const PATH = "/organizations/default/watch-file/";

test("what watches a project is exported, previewed and imported as one file", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  await person.post("/alerts/new", {
    ...{ intent: "save", name: "New ones", project: "1", trigger: "users", usersCount: "5", usersMinutes: "10" },
    ...{ match: "all", conditions: "level:error", action: "members", frequency: "30", isEnabled: "on" },
  });
  await person.post("/metric-monitors/new", {
    ...{ intent: "save", project: "shop", name: "Many errors", measure: "errors:count()", windowMinutes: "10" },
    ...{ comparison: "none", direction: "above", critical: "50" },
  });
  await person.post("/crons/new", {
    ...{ intent: "create", project: "shop", name: "Nightly", slug: "nightly", type: "crontab", crontab: "0 2 * * *" },
    timezone: "Europe/Berlin",
  });
  await person.post("/uptime/new", {
    ...{ project: "shop", name: "Shop", address: "https://shop.example/", interval: "60", timeout: "1000" },
    assertions: "status 200-299\ntime under 800 ms",
  });
  await person.post("/settings/teams", { intent: "create", name: "Ops" });
  const file = await getJson<Record<string, Array<Record<string, unknown>>>>(server, PATH);
  const { rules = [], metrics = [], crons = [], uptime = [] } = file;
  const own = rules.find(({ name }) => name === "New ones");
  expect(own).toMatchObject({ projects: ["shop"], conditions: ["level:error"] });
  expect(metrics).toMatchObject([{ project: "shop", name: "Many errors", critical: 50 }]);
  expect(crons).toMatchObject([{ slug: "nightly", config: { timezone: "Europe/Berlin" } }]);
  expect(uptime).toMatchObject([{ address: "https://shop.example/" }]);
  expect((await person.open("/alerts/file/download")).html).toContain('"format": "culprit-watch"');

  // As it is, it changes nothing.
  const put = async (body: object, query = "") => {
    const response = await send(server, "PUT", `${PATH}${query}`, body);
    expect(response.status).toBe(200);
    return (await response.json()) as Array<{ name: string; action: string; message: string | null }>;
  };
  expect((await put(file)).map(({ action }) => action)).toEqual(new Array(rules.length + 3).fill("same"));

  const crashes = {
    ...{ ...metrics[0], dataset: "sessions", figure: "crash_rate(session)", query: "release:latest" },
    ...{ comparison: "goal", critical: null },
  };
  const changed = {
    ...file,
    rules: [
      { ...own, name: "Other", actions: [{ kind: "team", name: "nobody" }] },
      { ...own, name: "On call", steps: [{ afterMinutes: 5, actions: [{ kind: "on-call", name: "nobody" }] }] },
      { ...own, steps: [{ afterMinutes: 5, actions: [{ kind: "on-call", name: "ops" }] }] },
    ],
    metrics: [
      { ...metrics[0], critical: 60 },
      { ...metrics[0], name: "Another" },
      { ...metrics[0], name: "Another", critical: 1 },
      { ...crashes, name: "Crashes" },
      { ...crashes, name: "Crashes of whom", figure: "count()" },
    ],
    crons: [{ ...crons[0], slug: "weekly", config: { schedule: { type: "crontab", value: "99 * * * *" } } }],
    uptime: [{ ...uptime[0], assertions: "status 200-299" }],
  };
  const say = (changes: Awaited<ReturnType<typeof put>>) =>
    changes.map(({ name, action, message }) => `${name} ${action}: ${message?.slice(0, 30)}`);
  const preview = await put(changed, "?dryRun=1");
  expect(say(preview)).toEqual([
    "Other refused: actions: There is no team nobo",
    "On call refused: steps[0]: There is no team nob",
    "New ones change: steps",
    "Many errors change: critical",
    "Another create: undefined",
    "Another refused: An entry of the same name stan",
    "Crashes create: undefined",
    "Crashes of whom refused: comparison: A project has a ta",
    expect.stringMatching(/^weekly refused: config: /),
    "Shop change: assertions",
  ]);
  expect(await getJson(server, PATH)).toEqual(file);

  const page = await person.post("/alerts/file", { intent: "preview", text: JSON.stringify(changed) });
  expect(page.html).toContain("Import 5");
  const applied = await person.post("/alerts/file", { intent: "apply", text: JSON.stringify(changed) });
  expect(applied.html).toContain("Imported");
  const after = await getJson<typeof file>(server, PATH);
  const steps = [{ afterMinutes: 5, actions: [{ kind: "on-call", name: "ops" }] }];
  expect(after.metrics?.map(({ name, critical }) => [name, critical])).toEqual([
    ["Another", 50],
    ["Crashes", null],
    ["Many errors", 60],
  ]);
  expect(after.uptime).toMatchObject([{ assertions: "status 200-299" }]);
  expect(after.rules).toEqual(rules.map((rule) => (rule.name === "New ones" ? { ...rule, steps } : rule)));
  expect((await person.post("/alerts/file", { intent: "preview", text: "{" })).status).toBe(400);
});
