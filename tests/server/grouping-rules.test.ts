import { expect, test } from "vitest";
import { type ApiIssue, getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

async function report(server: TestServer, message: string, tags: Record<string, string> = {}): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message, tags });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return String((await waitForEvent(server, eventId)).groupID);
}

for (const DIGEST_THREADS of ["1", "2"]) {
  test(`a saved rule holds for the next event, with ${DIGEST_THREADS} threads`, async () => {
    await using server = await startServer({ env: { DIGEST_THREADS } });
    const person = await signIn(server);
    const page = "/projects/shop/grouping";
    const one = await report(server, "alpha is down");
    expect(await report(server, "beta is up")).not.toBe(one);

    const refused = await person.post(page, { intent: "save", fingerprintRules: "message:x -> {{ nope }}" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("Line 1, character 14: There is no variable");

    const rule = 'message:"* is *" -> services title="A service is in trouble"';
    const tried = await person.post(page, { intent: "preview", fingerprintRules: rule });
    expect(tried.html).toContain(
      "2 events of 2 would go to another issue: 2 events would be in new issues (1 in all).",
    );
    expect(tried.html).toContain("A service is in trouble");
    expect(await getJson(server, "/projects/default/shop/")).toMatchObject({ fingerprintingRules: "" });

    const saved = await person.post(page, { intent: "save", revision: "0", fingerprintRules: rule });
    expect(saved.html).toContain("Rules saved.");
    const stale = await person.post(page, { intent: "save", revision: "0", fingerprintRules: "" });
    expect(stale.status).toBe(409);

    const joined = await report(server, "alpha is down");
    expect(joined).not.toBe(one);
    expect(await report(server, "gamma is gone")).toBe(joined);
    expect((await getJson<ApiIssue>(server, `/issues/${joined}/`)).title).toBe("A service is in trouble");
    expect((await person.open(`/issues/${joined}`)).html).toContain("project&#x27;s rule “message:");

    const api = await send(server, "PUT", "/projects/default/shop/", { fingerprintingRules: "type -> a" });
    expect(api.status).toBe(400);
    expect((await send(server, "PUT", "/projects/default/shop/", { fingerprintingRules: "" })).status).toBe(200);
    expect(await getJson(server, "/projects/default/shop/")).toMatchObject({
      fingerprintingRules: "",
      groupingEnhancements: "",
    });
    expect(await report(server, "alpha is down")).toBe(one);
  });
}
