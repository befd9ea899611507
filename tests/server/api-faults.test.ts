import { expect, test } from "vitest";
import { expectAsDocumented, listIssues, waitFor } from "../support/api.ts";
import { breakServer } from "../support/break-server.ts";
import { startServer } from "../support/start-server.ts";

test("a fault of the server is answered 500 as JSON, logged once and reported once", async () => {
  await using server = await startServer({ watchesItself: true });
  const path = "/projects/default/shop/keys/";
  const mend = breakServer(server, "reading keys");
  const response = await fetch(`${server.url}/api/0${path}`, {
    headers: { authorization: `Bearer ${server.token}`, "accept-encoding": "gzip" },
  });
  mend();
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual({ detail: expect.stringContaining("fault of its own") });
  const issue = await waitFor("the report", async () => {
    const [found] = await listIssues(server, "project_keys", "culprit");
    return found;
  });
  expect(issue.count).toBe("1");
  const logged = server.logLines().filter(({ msg }) => msg === "a request failed");
  expect(logged).toMatchObject([{ method: "GET", url: expect.stringContaining(path) }]);
});

test("a refusal is no fault: it is neither logged as one nor reported", async () => {
  await using server = await startServer({ watchesItself: true });
  const response = await fetch(`${server.url}/api/0/projects/default/nowhere/keys/`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(response.status).toBe(404);
  await expectAsDocumented(server, "GET", "/projects/default/nowhere/keys/", response);
  expect(server.logLines().filter(({ msg }) => msg === "a request failed")).toEqual([]);
});
