import { describe, expect, test } from "vitest";
import type { Frame } from "../domain/event.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { optionsOf } from "./fixtures/map-stacks.ts";
import { UploadFixtures } from "./fixtures/memory-stores.ts";
import { reportFailure } from "./start-report.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";
import { isWhollySymbolicated, listUnreadMaps, symbolicateWithoutUploads } from "./wanted-maps.ts";

const frame = (path: string, more: Partial<Frame> = {}): Frame => ({
  abs_path: path,
  function: "a",
  lineno: 1,
  colno: 9,
  in_app: true,
  ...more,
});

function eventOf(frames: Frame[], more: Partial<SymbolicationEvent> = {}): SymbolicationEvent {
  return {
    platform: "javascript",
    release: "shop@1",
    exception: { values: [{ type: "Error", stacktrace: { frames } }] },
    ...more,
  };
}

const APP = "https://shop.example/app.js";
const VENDOR = "https://shop.example/vendor.js";
const images = {
  debug_meta: { images: [{ type: "sourcemap", code_file: APP, debug_id: "9b7990f8-1f25-571a-a422-03bea91eb8ab" }] },
};

describe("without uploads, an event wants and says what mapping it would give", () => {
  const cases: Record<string, SymbolicationEvent> = {
    "by release": eventOf([frame(APP)], { dist: "7" }),
    "by debug id and release": eventOf([frame(APP), frame(VENDOR)], images),
    "without a release": eventOf([frame(APP)], { release: undefined }),
    "with frames of others": eventOf([frame(APP, { in_app: false }), frame(VENDOR)], images),
    "with an error of an earlier time": eventOf([frame(APP)], { errors: [{ type: "missing_sourcemap", url: "x" }] }),
    "with an error of its sender": eventOf([frame(APP)], { errors: [{ type: "invalid_data" }], ...images }),
    "without a frame that a map could help": eventOf([frame("native")]),
  };
  for (const [name, event] of Object.entries(cases)) {
    test(name, async () => {
      const asked = await symbolicateEvent(event, optionsOf(new UploadFixtures()));
      const answer = symbolicateWithoutUploads(event);
      expect(answer.wanted).toEqual(asked.wanted);
      expect(answer.event).toEqual(asked.event);
    });
  }

  test("and it is wanted at all", () => {
    expect(symbolicateWithoutUploads(eventOf([frame(APP)])).wanted).toEqual([
      { type: "source_map", debugId: null, release: "shop@1", dist: null, sampleUrl: APP, isForeign: false },
    ]);
  });
});

describe("what frames of others want", () => {
  const foreign = { in_app: false };
  const wantedOf = (...args: Parameters<typeof eventOf>) =>
    symbolicateWithoutUploads(eventOf(...args)).wanted.map(({ sampleUrl, isForeign }) => [sampleUrl, isForeign]);

  test("is marked, and comes after what the project's own code wants", () => {
    const frames = [frame(VENDOR, foreign), frame(APP)];
    expect(wantedOf(frames, images)).toEqual([
      [APP, false],
      [VENDOR, true],
    ]);
    expect(wantedOf(frames)).toEqual([[APP, false]]);
  });

  test("is the project's own, where no frame is said to be in the app", () => {
    expect(wantedOf([frame(VENDOR, foreign), frame(APP, foreign)])).toEqual([[VENDOR, false]]);
    const cdn = "https://cdn.jsdelivr.net/npm/x.js";
    expect(wantedOf([frame(cdn, foreign)])).toEqual([[cdn, true]]);
  });

  test("is all that code has which can be read as it is, unless a build gave it a debug id", () => {
    const plain = frame("/srv/app/server.js", { context_line: "  await charge(order);" });
    expect(wantedOf([plain])).toEqual([["/srv/app/server.js", true]]);
    expect(wantedOf([frame("app:///src/pay.ts")])).toEqual([["app:///src/pay.ts", true]]);
    const minified = frame("/srv/app/server.js", { context_line: "{snip} e(r){throw Error(r)}", colno: 4_000 });
    expect(wantedOf([plain, minified])).toEqual([["/srv/app/server.js", false]]);
    const built = { debug_meta: { images: [{ ...images.debug_meta.images[0], code_file: "/srv/app/server.js" }] } };
    expect(wantedOf([plain], built)).toEqual([["/srv/app/server.js", false]]);
  });

  test("is not wanted in packages as they were installed, unless a build has gone over them", () => {
    const installed = "/app/node_modules/express/lib/router.js";
    expect(wantedOf([frame(installed, foreign), frame(APP)])).toEqual([[APP, false]]);
    expect(wantedOf([frame(installed, foreign)])).toEqual([]);
    const built = { debug_meta: { images: [{ ...images.debug_meta.images[0], code_file: installed }] } };
    expect(wantedOf([frame(installed, foreign)], built)).toEqual([[installed, true]]);
  });
});

test("maps that nobody could look at are wanted by what names them", () => {
  const event = eventOf([frame(APP), frame(VENDOR)], images);
  expect(listUnreadMaps(reportFailure(event, "thread_died"))).toEqual([
    {
      type: "source_map",
      debugId: "9b7990f81f25571aa42203bea91eb8ab",
      release: "shop@1",
      dist: null,
      sampleUrl: APP,
      isForeign: false,
    },
    { type: "source_map", debugId: null, release: "shop@1", dist: null, sampleUrl: VENDOR, isForeign: false },
  ]);
  expect(listUnreadMaps(reportFailure(eventOf([frame(APP)], { release: undefined }), "timed_out"))).toEqual([]);
});

test("an event is wholly mapped when every frame is that could be", () => {
  const mapped = { data: { symbolicated: true } };
  const withRaw = (frames: Frame[]): SymbolicationEvent => {
    const raw = { frames: frames.map(({ data: _, ...sent }) => sent) };
    return eventOf([], { exception: { values: [{ stacktrace: { frames }, raw_stacktrace: raw }] } });
  };
  expect(isWhollySymbolicated(withRaw([frame(APP, mapped), frame("native")]))).toBe(true);
  expect(isWhollySymbolicated(withRaw([frame(APP, mapped), frame(VENDOR)]))).toBe(false);
  expect(isWhollySymbolicated({ platform: "python", stacktrace: { frames: [frame("/a.py")] } })).toBe(true);
});
