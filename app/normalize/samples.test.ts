import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../domain/event.ts";
import { parseJson } from "../protocol/parse-json.ts";
import { scrubEvent } from "../scrub/scrub-event.ts";
import { normalizeTestEvent } from "./normalize-test-event.ts";

/** Payloads that real SDKs sent; they are not part of the project. */
const FOLDER = join(import.meta.dirname, "../../../shared/samples/events");
const isThere = existsSync(FOLDER);
const names = isThere ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : [];
if (!isThere) console.warn(`Skipped: no event samples at ${FOLDER}`);

function read(name: string): unknown {
  const parsed = parseJson(readFileSync(join(FOLDER, name)));
  if (!parsed.ok) throw new Error(`${name}: ${parsed.reason}`);
  return parsed.value;
}

interface Raw {
  exception?: { values?: RawException[] } | RawException[];
  tags?: Record<string, string> | Array<[string, string]>;
  contexts?: Record<string, unknown>;
}

interface RawException {
  type?: string;
  value?: string;
  stacktrace?: { frames: unknown[] };
}

function summarize(exceptions: RawException[]) {
  return exceptions.map(({ type, value, stacktrace }) => ({ type, value, frameCount: stacktrace?.frames.length ?? 0 }));
}

describe.skipIf(!isThere)("events of real SDKs", () => {
  test.each(names)("%s keeps its exceptions, frames, tags and contexts", (name) => {
    // Normalising uses the value up, so the original is read a second time.
    const raw = read(name) as Raw;
    const event = normalizeTestEvent(read(name));
    const rawExceptions = Array.isArray(raw.exception) ? raw.exception : (raw.exception?.values ?? []);
    expect(summarize((event.exception?.values ?? []) as RawException[])).toEqual(
      summarize(rawExceptions).map((exception) => ({ ...exception, value: exception.value ?? undefined })),
    );
    const rawTags = Array.isArray(raw.tags) ? raw.tags : Object.entries(raw.tags ?? {});
    expect(event.tags?.slice(0, rawTags.length)).toEqual(rawTags);
    expect(Object.keys(event.contexts ?? {})).toEqual(
      expect.arrayContaining(
        Object.entries(raw.contexts ?? {}).flatMap(([alias, context]) => (hasContent(context) ? [alias] : [])),
      ),
    );
  });

  test.each(names)("%s is the same when it is normalised again", (name) => {
    const once = normalizeTestEvent(read(name));
    const twice = normalizeTestEvent(copy(once));
    expect(withSortedTags(twice)).toEqual(withSortedTags(once));
  });

  test.each(names)("%s holds no secret but where it says so, and scrubbing twice changes nothing", (name) => {
    const event = normalizeTestEvent(read(name));
    const before = JSON.stringify({ ...event, _meta: undefined });
    const scrubbed = scrubEvent(event);
    const after = JSON.stringify({ ...scrubbed, _meta: undefined });
    // One sample carries the credentials header of its SDK; nothing else in them is secret.
    const expected = before.replace(/"Sentry sentry_key=[^"]*"/, '"[Filtered]"');
    expect(after).toBe(expected);
    expect(JSON.stringify(scrubEvent(copy(scrubbed)))).toBe(JSON.stringify(scrubbed));
  });
});

function hasContent(context: unknown): boolean {
  return context !== null && JSON.stringify(context) !== "{}" && JSON.stringify(context) !== "[]";
}

function copy(event: SentryEvent): SentryEvent {
  return JSON.parse(JSON.stringify(event));
}

function withSortedTags(event: SentryEvent): SentryEvent {
  return { ...event, tags: event.tags?.toSorted() };
}
