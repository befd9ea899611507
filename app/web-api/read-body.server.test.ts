import { expect, test } from "vitest";
import { z } from "zod";
import { readBody } from "./read-body.server.ts";

const form = z.object({ name: z.string() });

function read(body: string) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return readBody(new Request("http://localhost/", { method: "POST", headers, body }), { form });
}

test("a form of very many fields is refused before it is read", async () => {
  expect(await read(`name=deploy${"&".repeat(9_999)}`)).toEqual({ name: "deploy" });
  await expect(read(`name=deploy${"&".repeat(10_000)}`)).rejects.toMatchObject({ status: 413 });
});
