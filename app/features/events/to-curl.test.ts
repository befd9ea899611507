import { describe, expect, test } from "vitest";
import { toCurl } from "./to-curl.ts";

describe("a request as curl", () => {
  test("carries method, headers, cookies, body and query", () => {
    expect(
      toCurl({
        method: "POST",
        url: "https://shop.example/checkout",
        query_string: [["a b", "1&2"]],
        headers: [
          ["Content-Type", "application/json"],
          ["Content-Length", "12"],
        ],
        cookies: [["s", "[Filtered]"]],
        data: { code: "x" },
      }),
    ).toBe(
      [
        "curl",
        "-X POST",
        "-H 'Content-Type: application/json'",
        "-b 's=[Filtered]'",
        `--data-raw '{"code":"x"}'`,
        "'https://shop.example/checkout?a%20b=1%262'",
      ].join(" \\\n  "),
    );
  });

  test("brackets and braces of an address are no patterns of curl", () => {
    const url = "https://a.example/app/[slug]/{id}";
    expect(toCurl({ url })).toBe(`curl \\\n  --globoff \\\n  '${url}'`);
  });

  test("nothing in a value can leave its quotes", () => {
    expect(toCurl({ url: "https://a.example/'; rm -rf / #" })).toBe("curl \\\n  'https://a.example/'\\''; rm -rf / #'");
  });

  test("no character of a value acts on the terminal into which it is pasted", () => {
    const headers: Array<[string, string]> = [["X-A", "a\u0003\nid\n"]];
    expect(toCurl({ url: "https://a.example/\u001b[201~", headers })).toBe(
      ["curl", "--globoff", "-H $'X-A: a\\003\nid\n'", "$'https://a.example/\\033[201~'"].join(" \\\n  "),
    );
  });
});
