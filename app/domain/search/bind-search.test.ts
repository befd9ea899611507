import { describe, expect, test } from "vitest";
import { bindSearch, sayUnknownKey } from "./bind-search.ts";
import { ISSUE_VOCABULARY } from "./issue-vocabulary.ts";
import { LOG_VOCABULARY } from "./log-vocabulary.ts";
import { matchesCondition, type SearchedRow } from "./matches-condition.ts";
import { parseSearch } from "./parse-search.ts";

const NOW = Date.UTC(2026, 4, 20, 12);
const HOUR = 3_600_000;

const FIELDS: Record<string, string | number | null> = {
  text: "typeerror: x is undefined\ncheckout\nweb-4f2",
  status: "unresolved",
  substatus: "regressed",
  level: "error",
  project: "web",
  type: "TypeError",
  value: "x is undefined",
  title: "TypeError: x is undefined",
  isUnhandled: 1,
  platform: "javascript",
  eventCount: 120,
  userCount: 7,
  firstSeenAt: NOW - 30 * HOUR,
  lastSeenAt: NOW - HOUR,
  firstRelease: "web@2.0.0",
  environment: "production",
  release: "web@2.4.1",
  user: "email:sam@shop.example",
  userName: "sam",
  traceId: "0123456789abcdef0123456789abcdef",
  sdk: "sentry.javascript.browser",
  occurredAt: NOW - 2 * HOUR,
};
const TAGS: Record<string, string> = { plan: "pro", "os.name": "Mac OS X", url: "https://a.example/checkout?x=1" };
const ROW: SearchedRow = {
  field: (name) => FIELDS[name] ?? null,
  tag: (key) => TAGS[key] ?? null,
  tagValues: () => Object.values(TAGS),
};

function bind(text: string) {
  const { tree, errors } = parseSearch(text);
  const bound = bindSearch(tree, ISSUE_VOCABULARY, NOW);
  return { ...bound, errors: [...errors, ...bound.errors] };
}

describe("what a search means", () => {
  test.each([
    ["is:unresolved is:unhandled is:regressed level:error", true],
    ["!is:resolved", true],
    ["is:new", false],
    ["!is:new", true],
    ["is:handled", false],
    ["level:warn", false],
    ["level:warn level:error", true],
    ["level:[warning, error]", true],
    ["error.type:TypeError error.value:UNDEFINED", true],
    ["error.type:typeerror", false],
    ["error.type:type*", true],
    ["message:undefined !message:null", true],
    ["undefined CHECKOUT", true],
    ['"x is undefined"', true],
    ["TypeError: x", true],
    ['plan:pro os.name:"Mac OS X"', true],
    ["plan:free plan:pro", true],
    ["plan:[free, basic]", false],
    ["!plan:free", true],
    ["!nothing:x", true],
    ["has:plan !has:cart has:release has:user.email !has:user.id", true],
    ["plan:p* plan:*o plan:*R*", true],
    ["*:pro", true],
    ["*:p", false],
    ["tags[plan]:pro", true],
    ["url:*/checkout*", true],
    ["timesSeen:>100 timesSeen:<=120 users:7", true],
    ["timesSeen:>1k", false],
    ["age:>24h age:<2d", true],
    ["age:-24h", false],
    ["age:+24h", true],
    ["firstSeen:-2d lastSeen:-2h", true],
    ["firstSeen:+2d", false],
    ["firstSeen:-48h firstSeen:+24h", true],
    ["firstSeen:2026-05-19", true],
    ["firstSeen:2026-05", true],
    ["firstSeen:>2026-05-19", false],
    ["firstSeen:>=2026-05-19 firstSeen:<=2026-05-19", true],
    ["lastSeen:>2026-05-20T10:59+00:00", true],
    ["lastSeen:>2026-05-20T10:59-02:00", false],
    ["release:>2.3 release:<2.5", true],
    ["release:>=api@2.3", false],
    ["release:web@2.4.*", true],
    ["first-release:web@2.0.0 firstRelease:<2.1", true],
    ["user:sam@shop.example user.email:sam@shop.example user.email:*@shop.example", true],
    ["user.id:sam@shop.example", false],
    ["user:sam user.username:sam", true],
    ["user:id:sam", false],
    ["user:email:sam user.email:s*", true],
    ["user:nobody user:sam@shop.example", true],
    ["has:user.email !has:user.username", true],
    ["is:resolved is:regressed", false],
    ["is:resolved is:unresolved", true],
    ["user:*shop*", true],
    ["trace:01234567-89ab-cdef-0123-456789ABCDEF", true],
    ["sdk:*javascript* platform:javascript environment:production", true],
    ["is:resolved OR (plan:pro !level:info)", true],
    ["!(plan:pro OR level:info)", false],
  ])("%s: %s", (text, isFound) => {
    const { condition, errors } = bind(text);
    expect(errors).toEqual([]);
    expect(matchesCondition(condition, ROW)).toBe(isFound);
  });

  test.each([
    ["firstSeen:-999999999999999w", -8.64e15],
    ["firstSeen:+999999999999999w", -8.64e15],
    ["firstSeen:--999999999999999w", 8.64e15],
    ["age:<999999999999999w", -8.64e15],
  ])("%s: a time that a store can hold", (text, value) => {
    expect(bind(text)).toMatchObject({ condition: { test: { kind: "compare", value } }, errors: [] });
  });

  test.each([
    ["is:constructor", "constructor", "It can be unresolved"],
    ["is:unresolvd", "unresolvd", "Did you mean is:unresolved?"],
    ["level:loud", "loud", "debug, info, warning, error, fatal"],
    ["timesSeen:many", "many", "needs a number"],
    ["age:24h", "24h", "needs an age"],
    ["lastSeen:yesterday", "yesterday", "needs a time"],
    ["lastSeen:2026-02-30", "2026-02-30", "needs a time"],
    ["trace:1", "1", "32 hexadecimal digits"],
    ["plan:>10", "plan", "tags have no order"],
    ["times_sen:>3", "times_sen", "Did you mean timesSeen:>?"],
    ["relase:>=2.0", "relase", "Did you mean release:>=?"],
    ["plan:", "plan:", "needs a value after the colon"],
    ["oops plan:", "plan:", "needs a value after the colon"],
    ["plan: is:resolved", "plan:", "needs a value after the colon"],
    ["!plan:", "plan:", "needs a value after the colon"],
    ["level:>error", "level:>error", "has no order"],
    ["release:>", "", "needs a value"],
    ["release:>/", "/", "needs a version"],
    ["release:>main", "main", "needs a version"],
    ["level: error", "level:", "without a blank"],
    ["-level:error", "-level:error", "!level:error"],
    ["has:is", "is", "says nothing"],
    ["*:p*", "*", "whole values"],
    ["error.unhandled:maybe", "maybe", "true or false"],
  ])("%s is refused at “%s”", (text, place, sentence) => {
    const [error] = bind(text).errors;
    expect(error?.message).toContain(sentence);
    expect(text.slice(error?.from, error?.to)).toBe(place);
  });

  test("a word with a colon in front of other words is text, as in a pasted message", () => {
    expect(bind("Error: boom").errors).toEqual([]);
    expect(bind('"plan:"').errors).toEqual([]);
  });

  test.each([
    ["seats:>9 seats:<=12.5", true],
    ["seats:>12.5", false],
    ["!seats:>12.5 seats:>=12.5", true],
    ["wait:<1s wait:>10ms", true],
    ["sent:>1KB sent:<1.5k", true],
    ["load:>5%", true],
    ["plan:>1", false],
    ["!plan:>1 !missing:>1", true],
  ])("attributes of logs that are numbers are compared as such: %s", (text, isFound) => {
    const tags: Record<string, string> = { seats: "12.5", wait: "250", sent: "1400", load: "0.07", plan: "17 pro" };
    const row: SearchedRow = { ...ROW, tag: (key) => tags[key] ?? null };
    const { condition, errors } = bindSearch(parseSearch(text).tree, LOG_VOCABULARY, NOW);
    expect(errors).toEqual([]);
    expect(matchesCondition(condition, row)).toBe(isFound);
  });

  test.each(["seats:>many", "seats:>*", "seats:>1x"])("%s is refused: an attribute is compared to a number", (text) => {
    const [error] = bindSearch(parseSearch(text).tree, LOG_VOCABULARY, NOW).errors;
    expect(error?.message).toContain("“seats:>” needs a number, like >100");
    expect(text.slice(error?.from, error?.to)).toBe(text.slice("seats:>".length));
  });

  test.each([
    ["a b ".repeat(10), "c"],
    ["plan:*a* !culprit:b* OR ".repeat(10), "message:c"],
    ["plan:[*a, b, *c] ".repeat(10), "*:c"],
    ["user:*a* ".repeat(20), "user:*c*"],
  ])("%s may be looked for, and one text more is refused at its place", (most, further) => {
    const texts = `${most}level:error`;
    expect(bind(texts).errors).toEqual([]);
    const [error, ...others] = bind(`${texts} ${further}`).errors;
    expect(error?.message).toContain("at most 20 words and values with “*”");
    expect(`${texts} ${further}`.slice(error?.from, error?.to)).toMatch(/^\*?c\*?$/);
    expect(others).toEqual([]);
  });

  test("attributes of logs count among texts, whose text holds all of them", () => {
    const bindLogs = (text: string) => bindSearch(parseSearch(text).tree, LOG_VOCABULARY, NOW);
    const most = `${"plan:pro seats:>9 has:cart plan:*r* service:web ".repeat(5)}`;
    expect(bindLogs(most).errors).toEqual([]);
    expect(bindLogs(`${most}plan:[a, b]`).errors).toMatchObject([
      { from: most.length, message: expect.stringContaining("at most 20 words, values with “*” and attributes") },
    ]);
  });

  test("keys that are none of the list are tags, with their places", () => {
    expect(bind("plan:pro !has:cart level:error").tags).toEqual([
      { key: "plan", from: 0, to: 4 },
      { key: "cart", from: 14, to: 18 },
    ]);
  });

  test("without tags, a key that is not known is named with the nearest one", () => {
    const { tree } = parseSearch("levle:error");
    const [error] = bindSearch(tree, { ...ISSUE_VOCABULARY, hasTags: false }, NOW).errors;
    expect(error).toMatchObject({ from: 0, to: 5 });
    expect(error?.message).toContain("“levle:” is not known. Did you mean level:?");
    expect(sayUnknownKey("evnt.timestamp", ISSUE_VOCABULARY)).toContain("Did you mean timestamp:?");
  });
});
