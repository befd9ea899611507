import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { groupEvent } from "../group-event.ts";
import { withoutStackRules } from "./apply-stack-rules.ts";
import { compileRules } from "./project-rules.ts";

const EVENT: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1,
  received: 1,
  platform: "node",
  level: "error",
  release: "shop@2",
  tags: [["bank", "Nord"]],
  exception: {
    values: [
      {
        type: "TypeError",
        value: "reading 'price'",
        stacktrace: {
          frames: [
            { function: "main", filename: "main.ts", in_app: true },
            { function: "handler", filename: "gen/route.ts", abs_path: "/srv/gen/route.ts", in_app: true },
            { function: "toTotal", filename: "total.ts", in_app: true },
          ],
        },
      },
    ],
  },
};

function group(text: { fingerprint?: string; stack?: string; splits?: never[] }, event = EVENT, isMovingOver = false) {
  const rules = compileRules({ fingerprintRules: text.fingerprint ?? "", stackRules: text.stack ?? "", splits: [] });
  return groupEvent(event, isMovingOver, rules);
}

function withCaller(name: string): SentryEvent {
  const changed = structuredClone(EVENT);
  const frame = changed.exception?.values[0]?.stacktrace?.frames[0];
  if (frame) frame.function = name;
  return changed;
}

describe("fingerprint rules", () => {
  test("the first that holds decides, names itself, and says the title", () => {
    const text =
      'type:RangeError -> a\ntype:Type* function:toTotal -> prices {{ tags.bank }} title="Prices of {{ tags.bank }}"\ntype:* -> c';
    const { explanation, title, hashes } = group({ fingerprint: text });
    expect(explanation.ruling?.fingerprint?.line).toBe(2);
    expect(explanation.basis).toBe("fingerprint");
    expect(title).toBe("Prices of Nord");
    expect(group({ fingerprint: text }, withCaller("other")).hashes).toEqual(hashes);
  });

  test.each([
    ["type:TypeError -> a", true],
    ["!type:TypeError -> a", false],
    ["message:*PRICE* -> a", true],
    ["function:toTotal path:**/gen/** -> a", false],
    ["function:handler path:**/GEN/** -> a", true],
    ["tags.bank:N* release:shop@* level:error -> a", true],
    ["tags.shop:* -> a", false],
    ["!tags.shop:* -> a", true],
    ["family:javascript -> a", true],
    ["family:native,other -> a", false],
    ["app:no -> a", false],
    ["logger:x -> a", false],
  ])("%s", (text, expected) => {
    expect(group({ fingerprint: text }).explanation.ruling !== undefined).toBe(expected);
  });

  test("a fingerprint of the application gives way, and is stored as it was sent", () => {
    const sent = { ...EVENT, fingerprint: ["own"], checksum: "a".repeat(32) };
    const { event, hashes } = group({ fingerprint: "type:TypeError -> prices" }, sent);
    expect(hashes).toEqual(group({ fingerprint: "type:TypeError -> prices" }).hashes);
    expect(event.fingerprint).toEqual(["own"]);
  });

  test("keys of the version before do not join what a rule tells apart", () => {
    expect(group({ fingerprint: "type:RangeError -> a" }, EVENT, true).earlier).not.toBeNull();
    expect(group({ fingerprint: "type:TypeError -> a" }, EVENT, true).earlier).toBeNull();
  });

  test("without a rule that holds, the key is what it was", () => {
    expect(group({ fingerprint: "type:RangeError -> a", stack: "function:nobody -app" }).hashes).toEqual(
      groupEvent(EVENT).hashes,
    );
  });
});

describe("stack-trace rules", () => {
  const framesOf = (stack: string, event = EVENT) =>
    group({ stack }, event).explanation.contributions.flatMap((part) => (part.kind === "frame" ? [part.function] : []));

  test.each([
    ["path:**/gen/** -app", ["main", "toTotal"]],
    ["function:handler -group", ["main", "toTotal"]],
    ["function:handler v-group", ["handler", "toTotal"]],
    ["function:handler ^-group", ["main", "handler"]],
    ["[ function:main ] | app:yes -group", ["main", "toTotal"]],
    ["app:yes | [ function:toTotal ] -group", ["main", "toTotal"]],
    ["function:* -group\nfunction:toTotal +group", ["toTotal"]],
    ["function:toTotal max-frames=1", ["toTotal"]],
    ["error.type:RangeError function:* -group", ["main", "handler", "toTotal"]],
    ["function:handler category=glue\ncategory:glue -group", ["main", "toTotal"]],
  ])("%s", (stack, expected) => {
    expect(framesOf(stack)).toEqual(expected);
  });

  test("with too few frames for min-frames, the value decides", () => {
    expect(group({ stack: "function:main min-frames=4" }).explanation.basis).toBe("exception-value");
  });

  test("what a rule said of frames can be taken back", () => {
    const { event, explanation } = group({ stack: "path:**/gen/** -app" });
    expect(event.exception?.values[0]?.stacktrace?.frames[1]?.in_app).toBe(false);
    expect(explanation.ruling?.stack).toEqual(["path:**/gen/** -app"]);
    expect(withoutStackRules(event)).toEqual(EVENT);
    expect(groupEvent(withoutStackRules(event)).hashes).toEqual(groupEvent(EVENT).hashes);
  });
});

describe("splits", () => {
  const own = groupEvent(EVENT).hashes;
  const split = (id: number, variable: string, hashes: readonly string[] = own) => ({
    id,
    name: "s",
    variable,
    hashes,
  });
  const groupSplit = (splits: Array<ReturnType<typeof split>>, event = EVENT) =>
    groupEvent(event, true, compileRules({ fingerprintRules: "", stackRules: "", splits }));
  const ofBank = (bank: string): SentryEvent => ({ ...EVENT, tags: [["bank", bank]] });

  test("each value has a key and a title of its own, and keys of the version before do not join them", () => {
    const nord = groupSplit([split(1, "tags.bank")]);
    expect(nord.title).toBe("TypeError: reading 'price' (Nord)");
    expect(nord.earlier).toBeNull();
    expect(nord.explanation.ruling?.split).toEqual({
      id: 1,
      name: "s",
      variable: "tags.bank",
      value: "Nord",
      rest: own[0],
    });
    expect(groupSplit([split(1, "tags.bank")], ofBank("Sud")).hashes[0]).not.toBe(nord.hashes[0]);
    expect(groupSplit([split(1, "tags.bank")], withCaller("other")).hashes).toEqual(
      groupEvent(withCaller("other")).hashes,
    );
    // Made again after it was undone.
    expect(groupSplit([split(2, "tags.bank")]).hashes[0]).not.toBe(nord.hashes[0]);
  });

  test("an event without a value stays, or goes by the next split of the issue", () => {
    expect(groupSplit([split(1, "tags.shop")]).hashes).toEqual(own);
    expect(groupSplit([split(1, "tags.shop"), split(2, "release.package")]).explanation.ruling?.split).toMatchObject({
      id: 2,
      value: "shop",
    });
  });

  test("what came of a split can be split", () => {
    const first = split(1, "tags.bank");
    const [key = ""] = groupSplit([first]).hashes;
    const both = groupSplit([first, split(2, "release", [key])]);
    expect(both.explanation.ruling?.split).toMatchObject({ id: 2, value: "shop@2", rest: key });
    expect(both.title).toContain("(Nord, shop@2)");
    expect(groupSplit([first, split(2, "release", [key])], ofBank("Sud")).explanation.ruling?.split?.id).toBe(1);
  });

  test("a checksum and a fingerprint of the application are split, too", () => {
    for (const sent of [
      { ...EVENT, checksum: "a".repeat(32) },
      { ...EVENT, fingerprint: ["own"] },
    ]) {
      const splits = [split(1, "tags.bank", groupEvent(sent).hashes)];
      const nord = groupSplit(splits, sent);
      expect(nord.explanation.ruling?.split?.value).toBe("Nord");
      expect(groupSplit(splits, { ...sent, tags: [["bank", "Sud"]] }).hashes[0]).not.toBe(nord.hashes[0]);
    }
  });

  test.each([
    ["release.package", { release: "shop@web@1.2" }, "shop@web"],
    ["release.package", { release: "1.2" }, null],
    ["url.path", { request: { url: "https://shop.example/cart/4711?id=1#x" } }, "/cart/<int>"],
    ["url.path", { request: { url: "https://shop.example" } }, "/"],
    ["url.path", {}, null],
    ["error.value", {}, "reading 'price'"],
    ["function", {}, "toTotal"],
    ["transaction", { transaction: " GET\n /cart " }, "GET /cart"],
    ["tags.bank", { tags: [["bank", "{{ default }}"]] }, "{{ default }}"],
  ] as const)("%s of %o", (variable, change, value) => {
    const event = { ...EVENT, ...(change as Partial<SentryEvent>) };
    expect(groupSplit([split(1, variable)], event).explanation.ruling?.split?.value ?? null).toBe(value);
  });
});

test("rules that cost too much are cut off, the same each time, and the event says so", () => {
  const frames = Array.from({ length: 250 }, (_, at) => ({ function: `${"a".repeat(600)}${at}`, in_app: true }));
  const deep = structuredClone(EVENT);
  deep.exception = { values: [{ type: "E", stacktrace: { frames } }] };
  const text = Array.from({ length: 100 }, (_, at) => `function:${"*a".repeat(100)}z${at} -> x`).join("\n");
  const one = group({ fingerprint: text }, deep);
  expect(one.explanation.ruling).toEqual({ isCut: true });
  expect(one.hashes).toEqual(group({ fingerprint: text }, deep).hashes);
});
