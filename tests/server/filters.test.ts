import { expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const exception = (type: string, value: string, more: object = {}) => ({
  platform: "javascript",
  exception: { values: [{ type, value }] },
  ...more,
});

test("what filters take is not stored, is counted with its filter, and one can look at an example", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const report = async (event: Record<string, unknown>) => {
    const { envelope } = toEventEnvelope(event);
    // The SDK is told that it was accepted: filters look at what was received.
    expect((await sendEnvelope(server, envelope)).status).toBe(200);
  };
  const save = (fields: Record<string, string>) => visitor.post("/projects/shop/filters", fields);

  expect((await save({ intent: "lists", messages: "*Load failed*", releases: "", addresses: "" })).status).toBe(200);
  const refused = await save({ intent: "lists", messages: "", releases: "", addresses: "192.0.2.0/99" });
  expect([refused.status, refused.html.includes("192.0.2.0/99")]).toEqual([400, true]);
  const added = await save({
    intent: "add-condition",
    name: "Load tests",
    search: "environment:load error.type:RangeError",
  });
  expect(added.status).toBe(200);
  const wrong = await save({ intent: "add-condition", name: "Wrong", search: "is:unresolved" });
  expect([wrong.status, wrong.html.includes("before it has an issue")]).toEqual([400, true]);

  await report(exception("TypeError", "Load failed", { extra: { password: "hunter2" } }));
  await report(exception("RangeError", "too deep", { environment: "load" }));
  await report(exception("RangeError", "too deep", { environment: "production" }));
  await waitFor("the event that no filter takes", async () => (await listIssues(server)).length === 1);
  expect(await sumOutcomes(server, { outcome: "filtered" })).toBe(2);
  expect(await sumOutcomes(server, { outcome: "filtered", reason: "error-message" })).toBe(1);
  expect(await sumOutcomes(server, { outcome: "filtered", reason: "condition:1" })).toBe(1);

  const page = await visitor.open("/projects/shop/filters");
  expect(page.html).toContain("/projects/shop/filters/error-message");
  expect(page.html).toContain("/projects/shop/filters/condition%3A1");
  const example = await visitor.open("/projects/shop/filters/error-message");
  expect([example.status, example.html.includes("TypeError: Load failed")]).toEqual([200, true]);
  expect(example.html).toContain("[Filtered]");
  expect(example.html).not.toContain("hunter2");
  expect((await visitor.open("/projects/shop/filters/condition:1")).html).toContain("Load tests");
  const arrived = (await visitor.open("/arrived?project=shop")).html;
  expect(arrived).toContain("/projects/shop/filters/error-message");
  expect(arrived).toContain("Load tests");
  expect((await visitor.open("/projects/shop/filters/localhost")).status).toBe(404);

  // Turned off, it holds from the next batch.
  expect((await save({ intent: "disable-condition", condition: "1" })).status).toBe(200);
  await report(exception("RangeError", "too deep", { environment: "load" }));
  await waitFor("the second event", async () => (await listIssues(server))[0]?.count === "2");

  // Deleted at once, with a way back: it is the same filter, and still off.
  const deleted = await save({ intent: "delete-condition", condition: "1" });
  expect(deleted.html).toContain("Filter “Load tests” deleted.");
  const form = deleted.html.split("</form>").find((each) => each.includes("restore-condition")) ?? "";
  const fields = [...form.matchAll(/name="(condition|name|search|isEnabled)" value="([^"]*)"/g)];
  const undo = { intent: "restore-condition", ...Object.fromEntries(fields.map(([, name, value]) => [name, value])) };
  expect(undo).toEqual({
    ...{ intent: "restore-condition", condition: "1", name: "Load tests" },
    ...{ search: "environment:load error.type:RangeError", isEnabled: "false" },
  });
  const restored = await save(undo);
  expect(restored.html).toContain("Filter “Load tests” is back.");
  expect(restored.html).toContain("Turn on the filter Load tests");
  expect((await save(undo)).status).toBe(400);
  expect((await save({ intent: "add-condition", name: "Load tests", search: "level:info" })).status).toBe(400);

  const put = (filter: string, body: object) => send(server, "PUT", `/projects/default/shop/filters/${filter}/`, body);
  expect((await put("web-crawlers", { active: true })).status).toBe(204);
  expect((await put("legacy-browsers", { subfilters: ["ie", "safari"] })).status).toBe(204);
  expect((await put("nothing", { active: true })).status).toBe(404);
  expect((await put("localhost", {})).status).toBe(400);
  const listed = await getJson<Array<{ id: string; active: boolean | string[] }>>(
    server,
    "/projects/default/shop/filters/",
  );
  expect(Object.fromEntries(listed.map(({ id, active }) => [id, active]))).toEqual({
    "browser-extensions": false,
    "legacy-browsers": ["ie", "safari"],
    "web-crawlers": true,
    localhost: false,
  });
  const options = { "filters:releases": "shop@0.*\n", "filters:blacklisted_ips": "192.0.2.0/24" };
  expect((await send(server, "PUT", "/projects/default/shop/", { options })).status).toBe(200);
  const project = await getJson<{ options: Record<string, string> }>(server, "/projects/default/shop/");
  expect(project.options).toMatchObject({
    "filters:releases": "shop@0.*",
    "filters:error_messages": "*Load failed*",
    "filters:blacklisted_ips": "192.0.2.0/24",
  });
  const bad = await send(server, "PUT", "/projects/default/shop/", { options: { "filters:blacklisted_ips": "here" } });
  expect([bad.status, await bad.json()]).toMatchObject([400, { detail: expect.stringContaining("“here”") }]);
});
