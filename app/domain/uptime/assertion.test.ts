import { describe, expect, test } from "vitest";
import { type CheckedAnswer, formatAssertion, judgeAnswer, parseAssertions } from "./assertion.ts";

const answer = (change: Partial<CheckedAnswer> = {}): CheckedAnswer => ({
  status: 200,
  headers: new Map([["content-type", "application/json"]]),
  body: '{"status":{"db":"up","queues":[{"depth":3}]}}',
  isBodyWhole: true,
  durationMs: 120,
  ...change,
});

function judge(text: string, change: Partial<CheckedAnswer> = {}): string | null {
  const { assertions, problems } = parseAssertions(text);
  expect(problems).toEqual([]);
  return judgeAnswer(answer(change), assertions);
}

describe("assertions", () => {
  test.each([
    ["", {}, null],
    ["", { status: 302 }, null],
    ["", { status: 404 }, "it answered 404"],
    ["status 404", { status: 404 }, null],
    ["status 200-299, 404", { status: 301 }, "it answered 301"],
    ["time under 100 ms", {}, "it took 120 ms; 100 are allowed"],
    ["time under 0.2 s", {}, null],
    ["header Content-Type contains json", {}, null],
    ["header x-cache exists", {}, "the header x-cache is not there"],
    ["header x-cache is absent", {}, null],
    ["body lacks error", { body: "an error came" }, "the body contains “error”"],
    [
      "body contains ok",
      { body: "no", isBodyWhole: false },
      "the body does not contain “ok” in its first 2 characters",
    ],
    ["json status.db is up", {}, null],
    ["json status.queues.0.depth is 3", {}, null],
    ["json status.db is down", {}, "status.db is “up”, not “down”"],
    ["json status.db is not up", {}, "status.db is “up”"],
    ["json constructor.name exists", {}, "constructor.name is not there"],
    ["json a is b", { body: "<html>" }, "the body is no JSON"],
  ] as const)("%s of an answer with %o: %s", (text, change, expected) => {
    expect(judge(text, change)).toBe(expected);
  });

  test("a line that cannot be read is named, and the others are read", () => {
    const { assertions, problems } = parseAssertions(
      "# what counts\nstatus 2xx\nbody\nfoo\ntime 3\njson a\nbody exists\nstatus 200",
    );
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(assertions).toHaveLength(1);
  });

  test("what is written reads back as the same", () => {
    const text =
      "status 200-299, 404\nheader x-a is not b c\nbody contains  two words\njson a.0.b exists\ntime under 800 ms";
    const { assertions } = parseAssertions(text);
    expect(parseAssertions(assertions.map(formatAssertion).join("\n")).assertions).toEqual(assertions);
  });
});
