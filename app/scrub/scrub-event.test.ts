import { describe, expect, test } from "vitest";
import { normalizeTestEvent } from "../normalize/normalize-test-event.ts";
import { scrubEvent } from "./scrub-event.ts";

function scrub(raw: unknown) {
  return scrubEvent(normalizeTestEvent(raw));
}

describe("an event with secrets", () => {
  test("in the addresses of its scripts, which are the same in frames and debug images afterwards", () => {
    const path = "https://a.test/app.js?token=abc&card=4111111111111111";
    const image = { type: "sourcemap", code_file: path, debug_id: "9b7990f8-1f25-571a-a422-03bea91eb8ab" };
    const { exception, debug_meta, _meta } = scrub({
      exception: { values: [{ type: "E", stacktrace: { frames: [{ abs_path: path, lineno: 1 }] } }] },
      debug_meta: { images: [{ ...image, code_file: "https://a.test/b.js" }, image] },
    });
    const scrubbed = "https://a.test/app.js?token=[Filtered]&card=[Filtered: card number]";
    expect(exception?.values[0]?.stacktrace?.frames[0]?.abs_path).toBe(scrubbed);
    expect(debug_meta?.images).toEqual([
      { ...image, code_file: "https://a.test/b.js" },
      { ...image, code_file: scrubbed },
    ]);
    expect(_meta).toMatchObject({ debug_meta: { images: { 1: { code_file: { "": { len: path.length } } } } } });
  });

  test("in its request", () => {
    const { request, _meta } = scrub({
      request: {
        url: "https://bob:pw@a.test/x",
        query_string: "token=abc&page=2",
        headers: {
          Authorization: "Bearer x",
          "X-Api-Key": "k",
          "Set-Cookie": "a=b",
          Referer: "https://a.test/?api_key=1",
          Host: "h",
        },
        cookies: { sessionid: "s", theme: "dark" },
        data: { user: "bob", password: "hunter2", card: "4111 1111 1111 1111", nested: { client_secret: ["x"] } },
        env: { HTTP_COOKIE: "a=b", SERVER_PORT: "80", DB_PASS: "x" },
      },
    });
    expect(request).toEqual({
      url: "https://bob:[Filtered]@a.test/x",
      query_string: [
        ["token", "[Filtered]"],
        ["page", "2"],
      ],
      headers: [
        ["Authorization", "[Filtered]"],
        ["X-Api-Key", "[Filtered]"],
        ["Set-Cookie", "[Filtered]"],
        ["Referer", "https://a.test/?api_key=[Filtered]"],
        ["Host", "h"],
      ],
      cookies: [
        ["sessionid", "[Filtered]"],
        ["theme", "dark"],
      ],
      data: {
        user: "bob",
        password: "[Filtered]",
        card: "[Filtered: card number]",
        nested: { client_secret: "[Filtered]" },
      },
      env: { HTTP_COOKIE: "[Filtered]", SERVER_PORT: "80", DB_PASS: "[Filtered]" },
    });
    expect(_meta).toMatchObject({
      request: {
        url: { "": { rem: [["@url-password", "s", 12, 22]], len: 23 } },
        query_string: { 0: { 1: { "": { rem: [["@token", "s", 0, 10]], len: 3 } } } },
        headers: { 0: { 1: { "": { rem: [["@authorization", "s", 0, 10]] } } } },
        cookies: { 0: { 1: { "": { rem: [["@session-cookie", "s", 0, 10]] } } } },
        data: { password: { "": { rem: [["@password", "s", 0, 10]], len: 7 } } },
        env: { DB_PASS: { "": { rem: [["@password", "s", 0, 10]] } } },
      },
    });
  });

  test("in its frames, messages, breadcrumbs, tags, contexts and extra", () => {
    const event = scrub({
      message: { message: "login %s", params: ["password=x"] },
      exception: {
        type: "E",
        value: "no card 4111111111111111",
        mechanism: { type: "x", data: { api_key: "k" } },
        stacktrace: {
          frames: [
            {
              filename: "https://a.test/?token=abc",
              vars: { password: "'x'", author: "'bob'", url: "'postgres://u:p@h/d'", n: 1 },
              context_line: 'password = "what was committed"',
            },
          ],
        },
      },
      breadcrumbs: [
        {
          category: "http",
          data: { url: "https://a.test/?access_token=x", status_code: 200 },
          message: "Bearer abcdef12",
        },
      ],
      tags: { session_id: "abc", browser: "x" },
      contexts: { auth: { token: "t", user: "bob" }, state: { session: { id: 5 } } },
      extra: { credentials: { a: 1 }, pairs: [["password", "x"]], number: 4111111111111111, json: '{"secret":"s"}' },
      user: { id: "1", email: "bob@a.test", refresh_token: "x" },
      my_field: { api_key: "x" },
    });
    expect(event.logentry).toEqual({
      message: "login %s",
      params: ["password=[Filtered]"],
      formatted: "login password=[Filtered]",
    });
    expect(event.exception?.values[0]).toMatchObject({
      value: "no card [Filtered: card number]",
      mechanism: { data: { api_key: "[Filtered]" } },
      stacktrace: {
        frames: [
          {
            filename: "https://a.test/?token=[Filtered]",
            vars: { password: "[Filtered]", author: "'bob'", url: "'postgres://u:[Filtered]@h/d'", n: 1 },
            context_line: 'password = "what was committed"',
          },
        ],
      },
    });
    expect(event.breadcrumbs?.values[0]).toMatchObject({
      data: { url: "https://a.test/?access_token=[Filtered]", status_code: 200 },
      message: "Bearer [Filtered]",
    });
    expect(event.tags?.slice(0, 2)).toEqual([
      ["session_id", "[Filtered]"],
      ["browser", "x"],
    ]);
    expect(event.contexts).toEqual({ auth: { token: "[Filtered]", user: "bob" }, state: { session: { id: 5 } } });
    expect(event.extra).toEqual({
      credentials: "[Filtered]",
      pairs: [["password", "[Filtered]"]],
      number: "[Filtered]",
      json: '{"secret":"[Filtered]"}',
    });
    expect(event.user).toEqual({ id: "1", email: "bob@a.test", data: { refresh_token: "[Filtered]" } });
    expect(event).toMatchObject({ my_field: { api_key: "[Filtered]" } });
    expect(event._meta).toMatchObject({
      exception: {
        values: {
          0: { stacktrace: { frames: { 0: { vars: { password: { "": { rem: [["@password", "s", 0, 10]] } } } } } } },
        },
      },
      extra: { pairs: { 0: { 1: { "": { rem: [["@password", "s", 0, 10]] } } } } },
    });
  });

  test("in what it says about its own mistakes", () => {
    const event = scrub({
      level: "password=hunter2",
      request: { url: "/", method: { password: "x" } },
      _meta: { extra: { password: { "": { val: "hunter2", len: 7 } } } },
    });
    expect(JSON.stringify(event)).not.toContain("hunter2");
    expect(event._meta).toMatchObject({ extra: { password: { "": { len: 7 } } } });
  });

  test("keeps what says that there is no secret", () => {
    const extra = { password: null, token: "", secret: false, api_key: "None", auth: "[Filtered]" };
    expect(scrub({ extra: { ...extra } }).extra).toEqual(extra);
    expect(scrub({ extra: { ...extra } })._meta).toBeUndefined();
  });
});

test("an event without secrets is not touched", () => {
  const raw = () => ({
    platform: "python",
    contexts: {
      trace: { trace_id: "4".repeat(32), span_id: "4111111111111111" },
      replay: { replay_id: "5".repeat(32) },
    },
    exception: {
      type: "E",
      stacktrace: { frames: [{ function: "tokenize", vars: { token_count: "3", session: "<Session 1>" } }] },
    },
    extra: { author: "x", session_count: 3, ids: ["9ec79c33ec9942ab8353589fcb2e04dc"], ms: 1700000000000 },
    tags: { tokenizer: "x" },
  });
  expect(scrub(raw())).toEqual(normalizeTestEvent(raw()));
});
