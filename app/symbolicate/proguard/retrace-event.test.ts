import { expect, test } from "vitest";
import type { Frame } from "../../domain/event.ts";
import type { SymbolicationEvent } from "../collect-frames.ts";
import { optionsOf } from "../fixtures/map-stacks.ts";
import { UploadFixtures } from "../fixtures/memory-stores.ts";
import { symbolicateEvent } from "../symbolicate-event.ts";
import { isWhollySymbolicated, listUnreadMaps, symbolicateWithoutUploads } from "../wanted-maps.ts";

const UUID = "0CA8243D-c8ec-4c5a-8581-a7ca518973fe";
const ID = "0ca8243dc8ec4c5a8581a7ca518973fe";
const MAPPING = [
  "com.example.Cart -> a.a:",
  "    1:4:int com.example.Numbers.at(int):7:10 -> b",
  "    1:4:int total(int):20 -> b",
  "com.example.Numbers -> a.c:",
  "com.example.Cart$Refused -> a.d:",
].join("\n");
const FRAMES: Frame[] = [
  { module: "android.os.Handler", function: "dispatchMessage", filename: "Handler.java", lineno: 106, in_app: false },
  { module: "a.a", function: "b", filename: "SourceFile", lineno: 2, in_app: false },
];

function eventOf(more: Partial<SymbolicationEvent> = {}, frames = FRAMES): SymbolicationEvent {
  return {
    platform: "java",
    release: "shop@1",
    exception: { values: [{ type: "d", module: "a", value: "no", stacktrace: { frames } }] },
    debug_meta: { images: [{ type: "proguard", uuid: UUID }] },
    ...more,
  };
}

async function uploadsOf(content: string, debugId = ID): Promise<UploadFixtures> {
  const uploads = new UploadFixtures();
  await uploads.uploadFile({ type: "proguard_mapping", url: null, debugId, sourceMapUrl: null }, content, {});
  return uploads;
}

test("names, lines, inlined calls and the exception are restored, and what was sent stays", async () => {
  const { event, report, wanted } = await symbolicateEvent(eventOf(), optionsOf(await uploadsOf(MAPPING)));
  const [exception] = event.exception?.values ?? [];
  expect(exception).toMatchObject({
    type: "Cart$Refused",
    module: "com.example",
    raw_type: "d",
    raw_module: "a",
    raw_stacktrace: { frames: FRAMES },
  });
  expect(exception?.stacktrace?.frames).toEqual([
    FRAMES[0],
    expect.objectContaining({ module: "com.example.Cart", function: "total", lineno: 20, in_app: true }),
    expect.objectContaining({ module: "com.example.Numbers", function: "at", lineno: 8, filename: "Numbers.java" }),
  ]);
  expect(report.retrace).toMatchObject({ frameCount: 2, foundCount: 1, mappings: [{ debugId: ID, state: "found" }] });
  expect(wanted).toEqual([]);
});

test("an event that was mapped comes back as it is, and changes when its mapping does", async () => {
  const once = await symbolicateEvent(eventOf(), optionsOf(await uploadsOf(MAPPING)));
  const again = await symbolicateEvent(once.event, optionsOf(await uploadsOf(MAPPING)));
  expect(again).toMatchObject({ isChanged: false, report: { retrace: { frameCount: 2, foundCount: 1 } } });
  expect(again.event).toBe(once.event);
  const other = MAPPING.replaceAll("example", "sample");
  const changed = await symbolicateEvent(once.event, optionsOf(await uploadsOf(other)));
  expect(changed.event.exception?.values[0]).toMatchObject({
    module: "com.sample",
    raw_type: "d",
    stacktrace: { frames: [FRAMES[0], { module: "com.sample.Cart" }, { module: "com.sample.Numbers" }] },
  });
});

test("a mapping that was not uploaded is wanted by its id", async () => {
  const uploads = await uploadsOf(MAPPING, "f".repeat(32));
  const { event, report, wanted, isChanged } = await symbolicateEvent(eventOf(), optionsOf(uploads));
  expect(isChanged).toBe(false);
  expect(event.exception?.values[0]?.stacktrace?.frames).toBe(FRAMES);
  expect(report.retrace).toMatchObject({ foundCount: 0, mappings: [{ state: "not_uploaded_yet", file: null }] });
  const missing = { type: "proguard_mapping", debugId: ID, release: "shop@1", dist: null, isForeign: false };
  expect(wanted).toEqual([{ ...missing, sampleUrl: "a.a" }]);
  expect(symbolicateWithoutUploads(eventOf()).wanted).toEqual(wanted);
});

test("an upload that is gone says so", async () => {
  const uploads = await uploadsOf(MAPPING);
  uploads.blobs.blobs.clear();
  const { report, wanted } = await symbolicateEvent(eventOf(), optionsOf(uploads));
  expect(report.retrace?.mappings).toMatchObject([
    { state: "missing", problem: "the mapping is gone since it was found" },
  ]);
  expect(wanted).toHaveLength(1);
});

test("a mapping that is not read in time is told apart from one that is missing", async () => {
  const uploads = await uploadsOf(MAPPING);
  const { report, isChanged } = await symbolicateEvent(eventOf(), optionsOf(uploads, { deadline: Promise.resolve() }));
  expect(isChanged).toBe(false);
  expect(report).toMatchObject({ failure: "timed_out", retrace: { mappings: [{ state: "timed_out" }] } });
  expect(listUnreadMaps(report)).toMatchObject([{ type: "proguard_mapping", debugId: ID }]);
});

test("only Java and Kotlin have such names", async () => {
  const uploads = await uploadsOf(MAPPING);
  const mixed = [...FRAMES, { function: "b", module: "a.a", platform: "native" }];
  for (const event of [eventOf({ platform: "javascript" }), eventOf({}, mixed), eventOf({ debug_meta: undefined })]) {
    const result = await symbolicateEvent(event, optionsOf(uploads));
    expect(result).toMatchObject({ isChanged: false, report: { retrace: null } });
  }
  const ofReactNative = eventOf(
    { platform: "javascript" },
    FRAMES.map((frame) => ({ ...frame, platform: "java" })),
  );
  expect((await symbolicateEvent(ofReactNative, optionsOf(uploads))).isChanged).toBe(true);
});

test("an event that names a mapping is never whole, so its page says which one was used", async () => {
  const { event } = await symbolicateEvent(eventOf(), optionsOf(await uploadsOf(MAPPING)));
  expect(isWhollySymbolicated(event)).toBe(false);
  expect(isWhollySymbolicated({ ...event, debug_meta: undefined })).toBe(true);
});
