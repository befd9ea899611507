import { describe, expect, test } from "vitest";
import type { Frame, SentryEvent } from "../../domain/event.ts";
import { type BundleFile, makeBundle, optionsOf } from "../../symbolicate/fixtures/map-stacks.ts";
import { UploadFixtures } from "../../symbolicate/fixtures/memory-stores.ts";
import { reportFailure } from "../../symbolicate/start-report.ts";
import { symbolicateEvent } from "../../symbolicate/symbolicate-event.ts";
import { dropSilentReport, type EventDoctor, explainEvent, findFrameDoctor } from "./explain-event.ts";

const CONTEXT = { serverUrl: "https://errors.example", org: "acme", project: "web" };
const ID = "9b7990f8-1f25-571a-a422-03bea91eb8ab";
const OTHER_ID = "11111111-2222-4333-8444-555555555555";
const MAP = JSON.stringify({ version: 3, sources: ["a.ts"], sourcesContent: ["f()"], names: [], mappings: "AAAA" });
const APP = "https://shop.example/assets/app.js";
const VENDOR = "https://shop.example/assets/vendor.js";

function frame(abs_path = APP, more: Partial<Frame> = {}): Frame {
  return { abs_path, lineno: 1, colno: 1, in_app: true, ...more };
}

function eventOf(frames: Frame[], more: Partial<SentryEvent> = {}): SentryEvent {
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "javascript",
    level: "error",
    exception: { values: [{ type: "Error", stacktrace: { frames } }] },
    ...more,
  };
}

function imagesOf(ids: Record<string, string>): SentryEvent["debug_meta"] {
  return {
    images: Object.entries(ids).map(([code_file, debug_id]) => ({ type: "sourcemap", code_file, debug_id })),
  };
}

function filesOf(url: string, { map = MAP, code = "f();\n//# sourceMappingURL=app.js.map\n", headers = {} } = {}) {
  const files: BundleFile[] = [{ url, type: "minified_source", content: code, headers }];
  if (map !== "") files.push({ url: `${url}.map`, type: "source_map", content: map, headers });
  return files;
}

interface Upload {
  files: BundleFile[];
  version: string;
  dist?: string | null;
}

async function explain(event: SentryEvent, uploads: Upload[] = []): Promise<EventDoctor> {
  const store = new UploadFixtures();
  for (const { files, version, dist = null } of uploads)
    await store.upload({ bytes: makeBundle(files), releases: [{ version, dist }] });
  const result = await symbolicateEvent(event, optionsOf(store, { withDiagnosis: true }));
  return explainEvent(result.event, result.report, CONTEXT);
}

const textsOf = ({ causes }: EventDoctor): string[] => causes.map(({ text }) => text);

describe("what frames wait for", () => {
  test("one debug id that nobody uploaded is one cause, with the command that fixes it", async () => {
    const doctor = await explain(
      eventOf([frame(), frame(APP, { colno: 9 }), frame(APP, { colno: 30 })], { debug_meta: imagesOf({ [APP]: ID }) }),
    );
    expect(doctor.causes).toEqual([
      {
        text: `All 3 frames wait for the source map of debug id ${ID}.`,
        frameCount: 3,
        isPassing: false,
        fixes: [
          {
            text: expect.stringContaining("Upload the files of the build that runs"),
            command: "sentry-cli --url https://errors.example sourcemaps upload --org acme --project web ./dist",
          },
        ],
      },
    ]);
  });

  test("several debug ids are one cause too, named as far as they can be read", async () => {
    const ids = { [APP]: ID, [VENDOR]: OTHER_ID, "https://shop.example/a.js": "22222222-2222-4333-8444-555555555555" };
    const frames = Object.keys(ids).map((path) => frame(path));
    expect(textsOf(await explain(eventOf(frames, { debug_meta: imagesOf(ids) })))).toEqual([
      `All 3 frames wait for the source maps of debug ids ${ID}, ${OTHER_ID} and 1 more.`,
    ]);
  });

  test("a release without uploads, and frames that are mapped are not counted among those that wait", async () => {
    const event = eventOf([frame(), frame(VENDOR)], { release: "shop@1.0", debug_meta: imagesOf({ [APP]: ID }) });
    const headers = { "debug-id": ID };
    const doctor = await explain(event, [{ files: filesOf("~/x.js", { headers }), version: "other" }]);
    expect(doctor.frames.map(({ isMapped }) => isMapped)).toEqual([true, false]);
    expect(textsOf(doctor)).toEqual(["1 of 2 frames waits for source maps of release shop@1.0, no dist."]);
  });

  test("frames of libraries do not count, unless all frames are", async () => {
    const vendor = frame(VENDOR, { in_app: false });
    const readable = frame("/app/server.js", { context_line: "  await serve(request);", colno: 9 });
    const doctor = await explain(eventOf([vendor, readable], { release: "shop@1.0" }));
    expect(doctor.frames.map(({ isUnreadable }) => isUnreadable)).toEqual([true, false]);
    expect(doctor.causes).toEqual([]);
    expect(textsOf(await explain(eventOf([vendor], { release: "shop@1.0" })))).toHaveLength(1);
  });

  test("the same file under another debug id is the cause", async () => {
    const event = eventOf([frame()], { release: "shop@2.0", debug_meta: imagesOf({ [APP]: ID }) });
    const headers = { "debug-id": OTHER_ID };
    const doctor = await explain(event, [{ files: filesOf("~/assets/app.js", { headers }), version: "shop@1.0" }]);
    expect(textsOf(doctor)).toEqual([
      `The frame nearly fits an upload: ~/assets/app.js was uploaded for release shop@1.0, no dist, with debug id ${OTHER_ID}, but the event names ${ID}: the file that runs is of another build.`,
    ]);
    expect(doctor.causes[0]?.fixes).toHaveLength(1);
  });

  test("neither a debug id nor a release", async () => {
    expect(textsOf(await explain(eventOf([frame()])))).toEqual([
      "The frame has neither a debug id nor a release: nothing says which upload belongs to it.",
    ]);
  });

  test("an upload that nearly fits", async () => {
    const event = eventOf([frame(), frame()], { release: "shop@1.0", dist: "7" });
    const doctor = await explain(event, [{ files: filesOf("~/assets/app.js"), version: "shop@1.0", dist: "6" }]);
    expect(textsOf(doctor)).toEqual([
      "All 2 frames nearly fit an upload: ~/assets/app.js was uploaded for release shop@1.0, dist 6, but the event is of release shop@1.0, dist 7: the dist must be the same.",
    ]);
  });

  test("a file without its map, and one whose map cannot be read", async () => {
    const event = eventOf([frame(), frame(VENDOR)], { release: "shop@1.0" });
    const doctor = await explain(event, [
      { files: filesOf("~/assets/app.js", { map: "" }), version: "shop@1.0" },
      { files: filesOf("~/assets/vendor.js", { map: "not json" }), version: "shop@1.0" },
    ]);
    expect(textsOf(doctor)).toEqual([
      expect.stringMatching(/^1 of 2 frames is without a source map that can be used: .*none of .* was uploaded/),
      expect.stringMatching(/^1 of 2 frames is without a source map that can be used: /),
    ]);
    expect(doctor.causes.every(({ fixes }) => fixes.length > 0)).toBe(true);
  });

  test("a map of another build, and a frame without a column, each by itself", async () => {
    const event = eventOf([frame(APP, { lineno: 900 }), frame(APP, { colno: undefined })], { release: "shop@1.0" });
    const doctor = await explain(event, [{ files: filesOf("~/assets/app.js"), version: "shop@1.0" }]);
    expect(textsOf(doctor)).toEqual([
      "1 of 2 frames is not in the source map: The source map has no line 900, column 1: it belongs to another build of the file.",
      "1 of 2 frames is without a column, and a minified line has many.",
    ]);
    expect(doctor.frames.map(({ summary }) => summary)).toEqual([
      "The source map has no line 900, column 1: it belongs to another build of the file.",
      "The frame has no column, and a minified line has many.",
    ]);
  });

  test("what took too long may pass by itself", () => {
    const event = eventOf([frame()], { release: "shop@1.0" });
    const doctor = explainEvent(event, reportFailure(event, "timed_out"), CONTEXT);
    expect(doctor.causes).toMatchObject([
      { text: "The frame was not looked up in time; the next look may have it.", isPassing: true },
    ]);
  });
});

describe("frames that can be read as they are", () => {
  test("are no riddle: source of a development server, plain files of Node, code of Node itself", async () => {
    const doctor = await explain(
      eventOf(
        [
          frame("https://shop.example/src/cart.tsx?t=1"),
          frame("/app/server.js", { context_line: "  await serve(request);", colno: 9 }),
          frame("/app/lib/cart.js", { colno: 12 }),
          frame("node:internal/process", { in_app: false }),
        ],
        { platform: "node", release: "shop@1.0" },
      ),
    );
    expect(doctor.frames.map(({ isUnreadable }) => isUnreadable)).toEqual([false, false, false, false]);
    expect([doctor.causes, doctor.findings]).toEqual([[], []]);
  });

  test("but a minified line is one, though the SDK sent it", async () => {
    const minified = { context_line: `{snip} ${"a(b);".repeat(25)} {snip}`, colno: 4000 };
    const doctor = await explain(eventOf([frame("/app/server.js", minified)], { release: "shop@1.0" }));
    expect(doctor.frames.map(({ isUnreadable }) => isUnreadable)).toEqual([true]);
  });

  test("a file with one long line among readable ones is as it was written; so is what a development server bundles", async () => {
    const long = { context_line: `{snip} ${"a(b);".repeat(25)} {snip}`, colno: 4000 };
    const around = { pre_context: ["import a;", "", "const b = a();"], post_context: ["b();", "export { b };"] };
    const banner = { pre_context: ["/*! shop 1.0 */", "// MIT"], post_context: ["//# sourceMappingURL=a.js.map", ""] };
    const doctor = await explain(
      eventOf(
        [
          frame("/app/cart.mjs", { ...long, ...around }),
          frame("http://localhost:5173/node_modules/.vite/deps/react-dom_client.js?v=8f1"),
          frame("/app/cart.min.js", { ...long, ...banner }),
        ],
        { release: "shop@1.0" },
      ),
    );
    expect(doctor.frames.map(({ isUnreadable }) => isUnreadable)).toEqual([false, false, true]);
  });

  test("mapped frames tell their way as well", async () => {
    const event = eventOf([frame()], { release: "shop@1.0" });
    const doctor = await explain(event, [{ files: filesOf("~/assets/app.js"), version: "shop@1.0" }]);
    const found = findFrameDoctor(doctor, { kind: "exception", index: 0 }, 0);
    expect(found).toMatchObject({ isMapped: true, summary: "Line 1, column 1 is a.ts:1." });
    expect(found?.file?.facts).toContainEqual({
      step: "source-map",
      name: "from",
      values: [expect.stringMatching(/^upload 1 \(release shop@1\.0\): ~\/assets\/app\.js\.map, \d+ bytes$/)],
    });
    expect(findFrameDoctor(doctor, { kind: "thread", index: 0 }, 0)).toBeUndefined();
  });
});

test("a report of plain source is not sent with the page; any other is", async () => {
  const plain = eventOf([frame("/app/server.js", { context_line: "serve();" })], { platform: "node" });
  const minified = eventOf([frame()], { release: "shop@1.0" });
  const reportOf = async (event: SentryEvent) =>
    (await symbolicateEvent(event, optionsOf(new UploadFixtures()))).report;
  const pageOf = async (event: SentryEvent) => ({
    stored: { event, grouping: null },
    symbolication: await reportOf(event),
  });
  expect(dropSilentReport(await pageOf(plain), CONTEXT).symbolication).toBeNull();
  const page = await pageOf(minified);
  expect(dropSilentReport(page, CONTEXT)).toBe(page);
});
