import { isRecord } from "../is-record.ts";

/** One condition on an answer. People write one on each line (`parseAssertions`). */
export type Assertion =
  /** `status 200-299, 404` */
  | { kind: "status"; ranges: ReadonlyArray<readonly [first: number, last: number]> }
  /** `header content-type contains json` */
  | { kind: "header"; name: string; test: TextTest; value: string }
  /** `body contains ok` */
  | { kind: "body"; test: TextTest; value: string }
  /** `json status.db is up`: a path of keys and indexes into the body */
  | { kind: "json"; path: string; test: TextTest; value: string }
  /** `time under 800 ms` */
  | { kind: "time"; mostMs: number };

/** The ways to compare a text. Case matters. `exists` takes no value. */
const TEXT_TESTS = ["is", "is not", "contains", "lacks", "exists", "is absent"] as const;
export type TextTest = (typeof TEXT_TESTS)[number];

/** The parts of an answer that assertions check. */
export interface CheckedAnswer {
  status: number;
  /** Headers by name in lower case. */
  headers: ReadonlyMap<string, string>;
  /** Its beginning, as text. */
  body: string;
  /** False: the body is longer than the part that was read. */
  isBodyWhole: boolean;
  durationMs: number;
}

const MAX_VALUE_CHARS = 500;
const MAX_STATUS = 999;

export interface AssertionProblem {
  /** The number of the line, from 1. */
  line: number;
  message: string;
}

/** Reads assertions, one a line. Empty lines and lines that begin with `#` are skipped. */
export function parseAssertions(text: string): { assertions: Assertion[]; problems: AssertionProblem[] } {
  const assertions: Assertion[] = [];
  const problems: AssertionProblem[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const read = parseAssertion(line);
    if (typeof read === "string") problems.push({ line: index + 1, message: read });
    else assertions.push(read);
  }
  return { assertions, problems };
}

/** The line that reads back as this assertion. */
export function formatAssertion(assertion: Assertion): string {
  switch (assertion.kind) {
    case "status":
      return `status ${assertion.ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(", ")}`;
    case "time":
      return `time under ${assertion.mostMs} ms`;
    case "body":
      return `body ${assertion.test} ${assertion.value}`.trim();
    case "header":
      return `header ${assertion.name} ${assertion.test} ${assertion.value}`.trim();
    default:
      return `json ${assertion.path} ${assertion.test} ${assertion.value}`.trim();
  }
}

/** Returns an assertion, or a sentence that says what is wrong with the line. */
function parseAssertion(line: string): Assertion | string {
  const [, kind = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  switch (kind.toLowerCase()) {
    case "status":
      return parseStatus(rest);
    case "time":
      return parseTime(rest);
    case "body": {
      const test = parseTest(rest);
      if (typeof test === "string") return test;
      if (test.test === "exists" || test.test === "is absent")
        return `“body ${test.test}” cannot be asked: use contains or lacks`;
      return { kind: "body", ...test };
    }
    case "header":
    case "json":
      return parseNamed(kind.toLowerCase() as "header" | "json", rest);
    default:
      return `“${kind.slice(0, 40)}” is none of status, header, body, json and time`;
  }
}

function parseStatus(text: string): Assertion | string {
  const ranges: Array<readonly [number, number]> = [];
  for (const part of text.split(",")) {
    const match = /^\s*(\d{3})(?:\s*-\s*(\d{3}))?\s*$/.exec(part);
    if (match === null) return `“${part.trim().slice(0, 40)}” is no status: write 200, or 200-299`;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last > MAX_STATUS) return `${first}-${last} runs backwards`;
    ranges.push([first, last]);
  }
  return { kind: "status", ranges };
}

function parseTime(text: string): Assertion | string {
  const match = /^under\s+(\d+(?:\.\d+)?)\s*(ms|s)$/i.exec(text);
  if (match === null) return "write “time under 800 ms”, or “time under 2 s”";
  return { kind: "time", mostMs: Math.round(Number(match[1]) * (match[2]?.toLowerCase() === "s" ? 1_000 : 1)) };
}

function parseNamed(kind: "header" | "json", text: string): Assertion | string {
  const [, name = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  if (name === "") return kind === "header" ? "name the header" : "name the path: json status.db is up";
  const test = parseTest(rest);
  if (typeof test === "string") return test;
  if (kind === "json") return { kind, path: name, ...test };
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `“${name.slice(0, 40)}” is no name of a header`;
  return { kind, name: name.toLowerCase(), ...test };
}

function parseTest(text: string): { test: TextTest; value: string } | string {
  // The longer ones first: “is not” begins with “is”.
  const test = [...TEXT_TESTS]
    .sort((a, b) => b.length - a.length)
    .find((each) => text === each || text.startsWith(`${each} `));
  if (test === undefined) return `say how to compare: ${TEXT_TESTS.join(", ")}`;
  const value = text.slice(test.length).trim();
  const takesNone = test === "exists" || test === "is absent";
  if (takesNone && value !== "") return `“${test}” takes no value`;
  if (!takesNone && value === "") return `“${test}” needs a value`;
  if (value.length > MAX_VALUE_CHARS) return `the value has more than ${MAX_VALUE_CHARS} characters`;
  return { test, value };
}

/** Says why the answer does not pass, as the rest of a sentence. Null: it passes. */
export function judgeAnswer(answer: CheckedAnswer, assertions: readonly Assertion[]): string | null {
  const saysStatus = assertions.some(({ kind }) => kind === "status");
  if (!saysStatus && (answer.status < 200 || answer.status > 399)) return `it answered ${answer.status}`;
  for (const assertion of assertions) {
    const reason = judgeOne(answer, assertion);
    if (reason !== null) return reason;
  }
  return null;
}

function judgeOne(answer: CheckedAnswer, assertion: Assertion): string | null {
  switch (assertion.kind) {
    case "status":
      return assertion.ranges.some(([first, last]) => answer.status >= first && answer.status <= last)
        ? null
        : `it answered ${answer.status}`;
    case "time":
      return answer.durationMs < assertion.mostMs
        ? null
        : `it took ${Math.round(answer.durationMs)} ms; ${assertion.mostMs} are allowed`;
    case "header":
      return compare(`the header ${assertion.name}`, answer.headers.get(assertion.name), assertion);
    case "body":
      return judgeBody(answer, assertion);
    default:
      return judgeJson(answer, assertion);
  }
}

function judgeBody({ body, isBodyWhole }: CheckedAnswer, assertion: Assertion & { kind: "body" }): string | null {
  const reason = compare("the body", body, assertion);
  if (reason === null || isBodyWhole) return reason;
  return `${reason} in its first ${body.length} characters`;
}

function judgeJson({ body, isBodyWhole }: CheckedAnswer, assertion: Assertion & { kind: "json" }): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return isBodyWhole ? "the body is no JSON" : `the body is no JSON in its first ${body.length} characters`;
  }
  for (const key of assertion.path.split(".")) {
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  const text = value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  return compare(assertion.path, text, assertion);
}

const MAX_SHOWN_CHARS = 60;

function compare(
  what: string,
  found: string | undefined,
  { test, value }: { test: TextTest; value: string },
): string | null {
  if (test === "is absent") return found === undefined ? null : `${what} is there`;
  if (test === "is not") return found !== value ? null : `${what} is “${value}”`;
  if (test === "lacks") return found?.includes(value) ? `${what} contains “${value}”` : null;
  if (found === undefined) return `${what} is not there`;
  if (test === "exists") return null;
  if (test === "contains") return found.includes(value) ? null : `${what} does not contain “${value}”`;
  if (found === value) return null;
  return found.length > MAX_SHOWN_CHARS ? `${what} is not “${value}”` : `${what} is “${found}”, not “${value}”`;
}
