import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../bench/random.ts";
import { setField } from "../../domain/set-field.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { SPAN_ATTRIBUTES, toSentSpan } from "../../stores/events/sent-span.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import { type ReadSpan, readV1Span, readV2Span } from "./read-span.ts";

// Whatever stands among its attributes and fields, a span comes back as it was sent.

const NOTHING = {
  traceId: null,
  release: "from-the-envelope@1",
  environment: "from-the-envelope",
  sampleRate: 0.5,
  segment: "GET /",
  sdkName: "sentry.test",
  sdkVersion: "1",
};
const IDS = { trace_id: "a".repeat(32), span_id: "b".repeat(16), start_timestamp: 1, is_segment: false };
const KEYS = [
  ...TYPED_ATTRIBUTES.flatMap(({ key, olderKeys, partKeys }) => [key, ...olderKeys, ...partKeys]),
  ...Object.values(SPAN_ATTRIBUTES),
  "sentry.sample_rate",
  "own",
  "constructor",
  "__proto__",
];

function toRow(read: ReadSpan | string): SpanRow {
  if (typeof read === "string") throw new Error(read);
  return { ...read, sequence: 0, projectId: 1, receivedAt: 0, category: "span", shiftUs: null, resource: null };
}

function anyValue(random: Random): unknown {
  return random.pick<unknown>([
    "",
    "text",
    "0123456789abcdef",
    "ABCDEF0123456789",
    " spaced@1 ",
    "x".repeat(1_200),
    0,
    -0.5,
    1,
    200,
    "200",
    true,
    false,
    null,
    [1, "a"],
    { type: "string", value: "odd" },
    {},
  ]);
}

function anyFields<Value>(random: Random, keys: readonly string[], toValue: () => Value): Record<string, Value> {
  const fields: Record<string, Value> = {};
  for (let count = random.whole(8); count > 0; count--) setField(fields, random.pick(keys), toValue());
  return fields;
}

test("of the first version, 3,000 times", () => {
  const random = createRandom(11);
  for (let round = 0; round < 3_000; round++) {
    const sent: Record<string, unknown> = {
      ...anyFields(random, ["op", "description", "status", "origin", "kind", "tags", "measurements", "links"], () =>
        anyValue(random),
      ),
      ...(random.whole(4) === 0 ? {} : { data: anyFields(random, KEYS, () => anyValue(random)) }),
      ...IDS,
      timestamp: 2,
    };
    const { is_segment: _, ...expected } = sent;
    // What says null says nothing.
    for (const key of ["op", "description", "status", "origin", "kind"])
      if (expected[key] === null) delete expected[key];
    expect(toSentSpan(toRow(readV1Span(sent, NOTHING)))).toEqual(expected);
  }
});

test("of a container, 3,000 times", () => {
  const random = createRandom(12);
  const anyAttribute = () => {
    const value = anyValue(random);
    const type = random.pick(["string", "integer", "double", "boolean", "array", "string[]"]);
    return random.whole(5) === 0 ? { type, value, unit: "byte" } : { type, value };
  };
  for (let round = 0; round < 3_000; round++) {
    const sent: Record<string, unknown> = {
      ...anyFields(random, ["name", "status", "kind", "links", "is_remote"], () => anyValue(random)),
      ...(random.whole(4) === 0 ? {} : { attributes: anyFields(random, KEYS, anyAttribute) }),
      ...IDS,
      end_timestamp: 2,
    };
    const expected = { ...sent };
    for (const key of ["name", "status", "kind"]) if (expected[key] === null) delete expected[key];
    expect(toSentSpan(toRow(readV2Span(sent, NOTHING)))).toEqual(expected);
  }
});

test("its columns have what the envelope says where it says nothing itself", () => {
  const own = { "sentry.release": { type: "string", value: "own@1" } };
  expect(readV2Span({ ...IDS, end_timestamp: 2, attributes: own }, NOTHING)).toMatchObject({
    release: "own@1",
    environment: "from-the-envelope",
    sampleRate: 0.5,
  });
});
