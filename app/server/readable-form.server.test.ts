import { expect, test } from "vitest";
import { withReadableForm } from "./readable-form.server.ts";

function post(type: string | null, body: string | null, path = "/sign-in"): Request {
  const headers = {
    ...(type !== null && { "content-type": type }),
    ...(body && { "content-length": `${body.length}` }),
  };
  return new Request(`http://localhost${path}`, { method: "POST", headers, body: body && Buffer.from(body) });
}

test.each([
  [null, "a=b"],
  ["text/plain", "a=b"],
  ["application/json", "{}"],
  ["multipart/form-data", "x"],
  ["multipart/form-data; boundary=q", "no parts at all"],
])("a body that is no form is none: %s", async (type, body) => {
  expect(await withReadableForm(post(type, body))).toBeNull();
});

test("a form is still to be read, and one without a body is empty", async () => {
  const sent = await withReadableForm(post("application/x-www-form-urlencoded", "a=b"));
  expect([...((await sent?.request.formData()) ?? [])]).toEqual([["a", "b"]]);
  const file = '--q\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--q--\r\n';
  const parts = await withReadableForm(post("multipart/form-data; boundary=q", file));
  expect([...((await parts?.request.formData()) ?? [])]).toEqual([["a", "b"]]);
  const empty = await withReadableForm(post(null, null));
  expect([...((await empty?.request.formData()) ?? ["unread"])]).toEqual([]);
  const headers = { "content-length": "0" };
  const of0Bytes = await withReadableForm(new Request("http://localhost/sign-out", { method: "POST", headers }));
  expect([...((await of0Bytes?.request.formData()) ?? ["unread"])]).toEqual([]);
});

test.each([
  ["fields", "application/x-www-form-urlencoded", "a&"],
  ["parts", "multipart/form-data; boundary=q", '--q\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'],
])("a form of very many %s is not read", async (_, type, one) => {
  const end = type.startsWith("multipart") ? "--q--\r\n" : "";
  expect([...((await withReadableForm(post(type, one.repeat(10_000) + end)))?.form ?? [])]).toHaveLength(10_000);
  expect(await withReadableForm(post(type, one.repeat(10_002) + end))).toBeNull();
});

test("the web API reads its bodies itself", async () => {
  const request = post("application/json", "{}", "/api/0/projects/");
  expect(await withReadableForm(request)).toEqual({ request, form: null });
});
