import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { resolveFingerprint } from "./fingerprint.ts";
import { groupEventV1, RULES_V1 } from "./group-event-v1.ts";

const event: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1,
  received: 1,
  platform: "native",
  level: "fatal",
  logger: "shop.db",
  transaction: "/cart/{id}",
  tags: [["region", "eu"]],
  logentry: { formatted: "cart 12 is gone" },
  exception: {
    values: [
      {
        type: "DbError",
        value: "row 7 is gone",
        stacktrace: {
          frames: [
            {
              function: "shop::load(int)",
              module: "shop.db",
              abs_path: "/src/db.cpp",
              filename: "db.cpp",
              package: "/opt/lib/libshop.so",
              in_app: true,
            },
            { function: "abort", package: "/lib/libc.so", in_app: false },
          ],
        },
      },
    ],
  },
};

describe("variables of a fingerprint", () => {
  test.each([
    ["{{ transaction }}", "/cart/{id}"],
    ["{{transaction}}", "/cart/{id}"],
    ["{{ message }}", "cart <int> is gone"],
    ["{{ raw_message }}", "cart 12 is gone"],
    ["{{ type }}", "DbError"],
    ["{{ error.type }}", "DbError"],
    ["{{ value }}", "row <int> is gone"],
    ["{{ error.value }}", "row <int> is gone"],
    ["{{ raw_value }}", "row 7 is gone"],
    ["{{ function }}", "shop::load"],
    ["{{ stack.function }}", "shop::load"],
    ["{{ path }}", "/src/db.cpp"],
    ["{{ stack.abs_path }}", "/src/db.cpp"],
    ["{{ stack.filename }}", "db.cpp"],
    ["{{ module }}", "shop.db"],
    ["{{ stack.module }}", "shop.db"],
    ["{{ package }}", "libshop.so"],
    ["{{ stack.package }}", "libshop.so"],
    ["{{ level }}", "fatal"],
    ["{{ logger }}", "shop.db"],
    ["{{ tags.region }}", "eu"],
    ["{{ tags.shard }}", "<no-value-for-tag-shard>"],
    ["{{ nonsense }}", "<unrecognized-variable-nonsense>"],
    ["db-{{ tags.region }}-{{ level }}", "db-eu-fatal"],
    ["plain", "plain"],
    // The message itself, sent as a fingerprint, is as good as its template.
    ["cart 12 is gone", "cart <int> is gone"],
  ])("%s is %s", (template, value) => {
    expect(resolveFingerprint({ ...event, fingerprint: [template] }, RULES_V1)).toEqual({
      hasDefault: false,
      entries: [{ template, value }],
    });
  });

  test.each([
    ["{{ transaction }}", "<no-transaction>"],
    ["{{ message }}", "<no-message>"],
    ["{{ error.type }}", "<no-type>"],
    ["{{ stack.function }}", "<no-function>"],
    ["{{ function }}", "<no-function>"],
    ["{{ path }}", "<no-path>"],
    ["{{ logger }}", "<no-logger>"],
  ])("%s of an event without it is %s", (template, value) => {
    const bare: SentryEvent = {
      event_id: "0".repeat(32),
      type: "default",
      timestamp: 1,
      received: 1,
      platform: "other",
      level: "info",
    };
    expect(resolveFingerprint({ ...bare, fingerprint: [template] }, RULES_V1)?.entries[0]?.value).toBe(value);
  });
});

describe("a fingerprint", () => {
  const hashes = (fingerprint: string[] | undefined) =>
    groupEventV1({ ...event, ...(fingerprint ? { fingerprint } : {}) }).hashes;

  test("that only says default, or nothing, changes nothing", () => {
    expect(hashes(["{{ default }}"])).toEqual(hashes(undefined));
    expect(hashes(["{{default}}", " "])).toEqual(hashes(undefined));
    expect(hashes([])).toEqual(hashes(undefined));
  });

  test("without default decides alone, whatever the event holds", () => {
    const { exception: _exception, ...withoutException } = event;
    expect(groupEventV1({ ...withoutException, fingerprint: ["a", "b"] }).hashes).toEqual(hashes(["a", "b"]));
    expect(hashes(["a", "b"])).toHaveLength(1);
    expect(hashes(["ab"])).not.toEqual(hashes(["a", "b"]));
    expect(hashes(["b", "a"])).not.toEqual(hashes(["a", "b"]));
  });

  test("with default divides what the default would join", () => {
    const eu = hashes(["{{ default }}", "eu"]);
    expect(eu).toHaveLength(2);
    expect(eu).not.toEqual(hashes(undefined));
    expect(eu).not.toEqual(hashes(["{{ default }}", "us"]));
    expect(hashes(["eu", "{{ default }}"])).toEqual(eu);
    expect(groupEventV1({ ...event, fingerprint: ["{{ default }}", "eu"] }).explanation).toMatchObject({
      basis: "fingerprint-and-default",
      variant: "app",
      contributions: [
        { kind: "fingerprint", template: "eu", value: "eu" },
        { kind: "exception-type" },
        { kind: "frame" },
      ],
    });
  });
});

describe("a checksum", () => {
  test("that is a hash is the key, any other is hashed; both come before a fingerprint", () => {
    const checksum = "0123456789ABCDEF0123456789abcdef";
    expect(groupEventV1({ ...event, checksum, fingerprint: ["a"] }).hashes).toEqual([checksum.toLowerCase()]);
    expect(groupEventV1({ ...event, checksum: "build-7" }).hashes[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(groupEventV1({ ...event, checksum: "build-7" }).explanation).toMatchObject({
      basis: "checksum",
      contributions: [{ kind: "detail", name: "checksum", value: "build-7" }],
    });
  });
});
