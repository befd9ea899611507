import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Frame } from "../domain/event.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { explainReport } from "./explain-report.ts";
import { type BundleFile, makeBundle, optionsOf } from "./fixtures/map-stacks.ts";
import { UploadFixtures } from "./fixtures/memory-stores.ts";
import type { PublicFiles } from "./public-files.ts";
import { type ReadFetched, SourceMapCache } from "./source-map-cache.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");
const CODE = readFileSync(join(BUNDLES, "rolldown.js"), "utf8");
const MAP = readFileSync(join(BUNDLES, "rolldown.js.map"), "utf8");
const STACKS: Record<string, Frame[]> = JSON.parse(readFileSync(join(BUNDLES, "rolldown.stacks.json"), "utf8"));
const URL = "https://shop.example/assets/rolldown.js";
const ID = "9b7990f81f25571aa42203bea91eb8ab";
const RELEASE = { version: "shop@1.0", dist: null };

function framesOf(path = URL): Frame[] {
  return (STACKS.plainFunction ?? []).map((frame) => ({ ...frame, abs_path: path, in_app: true }));
}

function eventOf(more: Partial<SymbolicationEvent> = {}, frames = framesOf()): SymbolicationEvent {
  return {
    platform: "javascript",
    release: RELEASE.version,
    exception: { values: [{ type: "Error", stacktrace: { frames } }] },
    ...more,
  };
}

function images(path = URL): SymbolicationEvent["debug_meta"] {
  return { images: [{ type: "sourcemap", code_file: path, debug_id: "9B7990F8-1f25-571a-a422-03bea91eb8ab" }] };
}

function files({ url = "~/assets/rolldown.js", headers = {}, code = CODE, map = MAP } = {}): BundleFile[] {
  return [
    { url, type: "minified_source", content: code, headers },
    { url: `${url}.map`, type: "source_map", content: map, headers },
  ];
}

function namesOf(event: SymbolicationEvent): Array<string | undefined> {
  return event.exception?.values[0]?.stacktrace?.frames.map(({ function: name }) => name) ?? [];
}

const MAPPED = ["runCase", "CASES.plainFunction", "addToCart", "findInStock", "fail"];

describe("how files are found", () => {
  test("by debug id, whatever the files are called and without a release", async () => {
    const uploads = new UploadFixtures();
    const headers = { "debug-id": ID };
    await uploads.upload({ bytes: makeBundle(files({ url: `~/${ID}-0.js`, headers })) });
    const event = eventOf({ release: undefined, debug_meta: images() });
    const result = await symbolicateEvent(event, optionsOf(uploads));
    expect(namesOf(result.event)).toEqual(MAPPED);
    expect(result.report.files[0]).toMatchObject({
      upload: { resolvedWith: "debug-id" },
      sourceMap: { state: "found" },
    });
    expect(result.event.exception?.values[0]?.stacktrace?.frames.at(-1)).toMatchObject({
      abs_path: "https://shop.example/assets/source/fail.js",
      filename: "source/fail.js",
      module: "source/fail",
      function: "fail",
      lineno: 2,
      in_app: true,
      context_line: "  const error = new Error(message);",
      pre_context: ["export function fail(message) {"],
      data: { resolved_with: "debug-id", symbolicated: true, sourcemap: `~/${ID}-0.js.map` },
    });
    expect(result.wanted).toEqual([]);
  });

  test("by debug id with the map alone: names of functions are the callers' words", async () => {
    const uploads = new UploadFixtures();
    const [, map] = files({ headers: { "debug-id": ID } });
    await uploads.upload({ bytes: makeBundle([map as BundleFile]) });
    const { event, report } = await symbolicateEvent(eventOf({ debug_meta: images() }), optionsOf(uploads));
    expect(namesOf(event).slice(-3)).toEqual(["addToCart", "findInStock", "fail"]);
    expect(report.frames.at(-1)?.mapping.functionFrom).toBe("caller");
    expect(report.files[0]?.generatedFile.state).toBe("skipped");
  });

  test.each([
    ["under ~", "~/assets/rolldown.js", URL],
    ["whole", URL, URL],
    ["without the query", "~/assets/rolldown.js", `${URL}?v=2`],
    ["with the query", "~/assets/rolldown.js?v=2", `${URL}?v=2`],
    ["of an app", "~/rolldown.js", "app:///rolldown.js"],
    ["of a Windows path", "~/C:/app/rolldown.js", "C:\\app\\rolldown.js"],
    ["of a file", "~/srv/rolldown.js", "file:///srv/rolldown.js"],
    ["behind async", "~/assets/rolldown.js", `async ${URL}`],
  ])("by URL within the release: %s", async (_, url, path) => {
    const uploads = new UploadFixtures();
    const [code, map] = files({ url });
    const mapUrl = url.replace(/[^/]*$/, "rolldown.js.map");
    await uploads.upload({
      bytes: makeBundle([code as BundleFile, { ...(map as BundleFile), url: mapUrl }]),
      releases: [RELEASE],
    });
    const result = await symbolicateEvent(eventOf({}, framesOf(path)), optionsOf(uploads));
    expect(namesOf(result.event)).toEqual(MAPPED);
    expect(result.report.files[0]?.upload.resolvedWith).toBe("release");
  });

  test.each([
    ["the header", CODE.replace(/\/\/# source.*/, ""), { Sourcemap: "maps/x.map" }, "~/assets/maps/x.map"],
    ["the comment", CODE.replace("rolldown.js.map", "/maps/x.map"), {}, "~/maps/x.map"],
    ["the older comment", CODE.replace("//# ", "//@ "), {}, "~/assets/rolldown.js.map"],
  ])("the map by %s", async (_, code, headers, mapUrl) => {
    const uploads = new UploadFixtures();
    const [generated, map] = files({ code, headers }) as [BundleFile, BundleFile];
    const bytes = makeBundle([generated, { ...map, url: mapUrl, headers: {} }]);
    await uploads.upload({ bytes, releases: [RELEASE] });
    expect(namesOf((await symbolicateEvent(eventOf(), optionsOf(uploads))).event)).toEqual(MAPPED);
  });

  test("the map in the file itself", async () => {
    const uploads = new UploadFixtures();
    const inline = `data:application/json;charset=utf-8;base64,${Buffer.from(MAP).toString("base64")}`;
    const [generated] = files({ code: CODE.replace("rolldown.js.map", inline) });
    await uploads.upload({ bytes: makeBundle([generated as BundleFile]), releases: [RELEASE] });
    const { event, report } = await symbolicateEvent(eventOf(), optionsOf(uploads));
    expect(namesOf(event)).toEqual(MAPPED);
    expect(report.files[0]?.sourceMap).toMatchObject({ state: "found", reference: "data:" });
  });

  test("files of a release that were uploaded one by one", async () => {
    const uploads = new UploadFixtures();
    const common = { debugId: null, sourceMapUrl: null };
    const releases = [RELEASE];
    await uploads.uploadFile({ type: "minified_source", url: "~/assets/rolldown.js", ...common }, CODE, { releases });
    await uploads.uploadFile({ type: "source_map", url: "~/assets/rolldown.js.map", ...common }, MAP, { releases });
    expect(namesOf((await symbolicateEvent(eventOf(), optionsOf(uploads))).event)).toEqual(MAPPED);
  });

  test("of two uploads with one debug id, the newer", async () => {
    const uploads = new UploadFixtures();
    const headers = { "debug-id": ID };
    const older = await uploads.upload({ bytes: makeBundle(files({ headers, map: "{}" })) });
    await uploads.upload({ bytes: makeBundle(files({ headers })) });
    const { event, report } = await symbolicateEvent(eventOf({ debug_meta: images() }), optionsOf(uploads));
    expect(namesOf(event)).toEqual(MAPPED);
    expect(report.files[0]?.upload.olderUploadIds).toEqual([older.id]);
  });

  test("of two uploads with one debug id, the newer, also where the older is nearer to the frames", async () => {
    const uploads = new UploadFixtures();
    const headers = { "debug-id": ID };
    await uploads.upload({ bytes: makeBundle(files({ headers })) });
    // The beginning of each line alone.
    const mappings = JSON.parse(MAP).mappings.replaceAll(/,[^;]*/g, "");
    const map = JSON.stringify({ ...JSON.parse(MAP), mappings });
    const newer = await uploads.upload({ bytes: makeBundle(files({ headers, map })) });
    const { report } = await symbolicateEvent(eventOf({ debug_meta: images() }), optionsOf(uploads));
    expect(report.files[0]?.sourceMap.file?.bundleId).toBe(newer.id);
  });

  test.each(["terser", "webpack"])("of two maps with one debug id, that of the frames: not %s's", async (other) => {
    const uploads = new UploadFixtures();
    const headers = { "debug-id": ID };
    const [code, map] = [".js", ".js.map"].map((end) => readFileSync(join(BUNDLES, `${other}${end}`), "utf8"));
    const others = files({ url: `~/${ID}-0.js`, headers, code, map });
    await uploads.upload({ bytes: makeBundle([...others, ...files({ url: `~/${ID}-1.js`, headers })]) });
    const { event, report } = await symbolicateEvent(eventOf({ debug_meta: images() }), optionsOf(uploads));
    expect(namesOf(event)).toEqual(MAPPED);
    expect(report.files[0]?.sourceMap.file?.url).toBe(`~/${ID}-1.js.map`);
    expect(report.files[0]?.generatedFile.file?.url).toBe(`~/${ID}-1.js`);
  });

  test("never in another project, release or dist", async () => {
    const uploads = new UploadFixtures();
    const bytes = makeBundle(files({ headers: { "debug-id": ID } }));
    await uploads.upload({ bytes, projectId: 2, releases: [RELEASE] });
    await uploads.upload({
      bytes: makeBundle(files(), { note: "a" }),
      releases: [{ version: RELEASE.version, dist: "a" }],
    });
    const event = eventOf({ debug_meta: images() });
    const result = await symbolicateEvent(event, optionsOf(uploads));
    expect(result.event.exception).toBe(event.exception);
    expect(result.report.files[0]?.upload.state).toBe("not_uploaded_yet");
    expect(result.wanted).toMatchObject([{ debugId: ID, release: RELEASE.version, dist: null, sampleUrl: URL }]);
    expect(result.event.errors).toEqual([{ type: "missing_sourcemap", url: URL }]);
  });

  test("the text of a source that the map lacks, among the uploads", async () => {
    const uploads = new UploadFixtures();
    const map = JSON.stringify({ ...JSON.parse(MAP), sourcesContent: undefined });
    const source = { url: "~/assets/source/fail.js", type: "source", content: "// first\nthe line of the upload\n" };
    await uploads.upload({ bytes: makeBundle([...files({ map }), source]), releases: [RELEASE] });
    const { event } = await symbolicateEvent(eventOf(), optionsOf(uploads));
    const frames = event.exception?.values[0]?.stacktrace?.frames;
    expect(frames?.at(-1)).toMatchObject({ context_line: "the line of the upload", pre_context: ["// first"] });
    expect(frames?.at(-2)?.context_line).toBeUndefined();
    expect(event.errors).toEqual([{ type: "missing_source_content", url: URL }]);
  });
});

describe("what of an event is mapped", () => {
  const uploaded = async (): Promise<UploadFixtures> => {
    const uploads = new UploadFixtures();
    await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
    return uploads;
  };

  test("chained exceptions, threads and the event's own stack, each with what was sent beside it", async () => {
    const stacktrace = { frames: framesOf() };
    const event = eventOf({
      exception: { values: [{ type: "A", stacktrace }, { type: "B" }, { type: "C", stacktrace }] },
      threads: { values: [{ id: 1, stacktrace }] },
      stacktrace,
    });
    const before = structuredClone(event);
    const result = await symbolicateEvent(event, optionsOf(await uploaded()));
    expect(event).toEqual(before);
    const { exception, threads, stacktrace: own, raw_stacktrace: raw } = result.event;
    for (const each of [exception?.values[0], exception?.values[2], threads?.values[0]]) {
      expect(each?.stacktrace?.frames.at(-1)?.function).toBe("fail");
      expect(each?.raw_stacktrace).toEqual(stacktrace);
    }
    expect(own?.frames.at(-1)?.function).toBe("fail");
    expect(raw).toEqual(stacktrace);
    expect(exception?.values[1]).toEqual({ type: "B" });
    expect(result.report.frames.map(({ place }) => place.kind)).toEqual([
      ...Array(10).fill("exception"),
      ...Array(5).fill("thread"),
      ...Array(5).fill("stacktrace"),
    ]);
  });

  test("frames of JavaScript in an event of another platform, and only those", async () => {
    const frames: Frame[] = framesOf().map((frame, index) =>
      index === 4 ? { ...frame, platform: "javascript" } : frame,
    );
    const { event } = await symbolicateEvent(eventOf({ platform: "cocoa" }, frames), optionsOf(await uploaded()));
    expect(namesOf(event)).toEqual([...frames.slice(0, 4).map(({ function: name }) => name), "fail"]);
  });

  test("what cannot be mapped stays beside what can", async () => {
    const frames: Frame[] = [
      { abs_path: "https://shop.example/", function: "onclick", lineno: 1, colno: 1, in_app: true },
      { abs_path: "<anonymous>", function: "Array.map" },
      { ...(framesOf()[4] as Frame), colno: undefined },
      framesOf()[4] as Frame,
    ];
    const { event, report, wanted } = await symbolicateEvent(eventOf({}, frames), optionsOf(await uploaded()));
    expect(event.exception?.values[0]?.stacktrace?.frames.slice(0, 3)).toEqual(frames.slice(0, 3));
    expect(report.frames.map(({ skipReason }) => skipReason)).toEqual(["inline-script", "native-code", null, null]);
    expect(event.errors).toEqual([{ type: "no_column", url: URL }]);
    expect(wanted).toEqual([]);
  });

  test("code of others becomes theirs, also where the client did not know", async () => {
    const uploads = new UploadFixtures();
    const sources: string[] = JSON.parse(MAP).sources;
    const map = JSON.stringify({
      ...JSON.parse(MAP),
      sources: sources.map((source) => (source.endsWith("cart.js") ? "../node_modules/cart/index.js" : source)),
      ignoreList: [sources.indexOf("source/fail.js")],
    });
    await uploads.upload({ bytes: makeBundle(files({ map })), releases: [RELEASE] });
    const { event } = await symbolicateEvent(eventOf(), optionsOf(uploads));
    const frames = event.exception?.values[0]?.stacktrace?.frames ?? [];
    expect(frames.map(({ in_app: inApp }) => inApp)).toEqual([true, true, false, false, false]);
  });

  test("a second time, the same comes out and nothing is said to have changed", async () => {
    const options = optionsOf(await uploaded());
    const first = await symbolicateEvent(eventOf(), options);
    expect(first.isChanged).toBe(true);
    const second = await symbolicateEvent(first.event, options);
    expect(second.isChanged).toBe(false);
    expect(second.event).toBe(first.event);
    expect(second.report.frames.every(({ mapping }) => mapping.state === "found")).toBe(true);
  });

  test("an event that came before its map is mapped when it is there; one whose map went stays mapped", async () => {
    const uploads = new UploadFixtures();
    const options = optionsOf(uploads);
    const early = await symbolicateEvent(eventOf(), options);
    expect(early.isChanged).toBe(false);
    const { id } = await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
    const mapped = await symbolicateEvent(early.event, options);
    expect(namesOf(mapped.event)).toEqual(MAPPED);
    await uploads.artifacts.deleteArtifactBundle(id);
    const late = await symbolicateEvent(mapped.event, options);
    expect(late.isChanged).toBe(false);
    expect(namesOf(late.event)).toEqual(MAPPED);
  });
});

describe("what is wrong is said", () => {
  async function errorsWith(bundle: BundleFile[], event = eventOf()) {
    const uploads = new UploadFixtures();
    await uploads.upload({ bytes: makeBundle(bundle), releases: [RELEASE] });
    const result = await symbolicateEvent(event, optionsOf(uploads));
    return { errors: result.event.errors?.map(({ type }) => type), file: result.report.files[0], result };
  }

  test("a file that names no map", async () => {
    const [code] = files({ code: CODE.replace(/\/\/# .*/, "") });
    const { errors, file, result } = await errorsWith([code as BundleFile]);
    expect(errors).toEqual(["missing_sourcemap"]);
    expect(file?.sourceMap).toMatchObject({ state: "missing", reference: null });
    expect(result.wanted).toMatchObject([{ debugId: null, release: RELEASE.version, dist: null, sampleUrl: URL }]);
  });

  test("a map that is named and was not uploaded", async () => {
    const [code] = files();
    const { errors, file } = await errorsWith([code as BundleFile]);
    expect(errors).toEqual(["missing_sourcemap"]);
    expect(file?.sourceMap.lookedFor).toEqual(["~/assets/rolldown.js.map"]);
  });

  test("an invalid map", async () => {
    const { errors, file } = await errorsWith(files({ map: "<!doctype html>" }));
    expect(errors).toEqual(["malformed_sourcemap"]);
    expect(file?.sourceMap).toMatchObject({ state: "mismatch", problem: expect.stringContaining("malformed") });
  });

  test("an inline map that is no Base64", async () => {
    const { errors } = await errorsWith(
      files({ code: `let a\n//# sourceMappingURL=data:application/json;base64,%%%` }).slice(0, 1),
    );
    expect(errors).toEqual(["invalid_base64_sourcemap"]);
  });

  test("a map of another build", async () => {
    const frames = framesOf().map((frame) => ({ ...frame, lineno: 40 }));
    const { errors, result } = await errorsWith(files(), eventOf({}, frames));
    expect(errors).toEqual(["invalid_location"]);
    expect(result.report.frames.map(({ mapping }) => mapping.state)).toEqual(Array(5).fill("mismatch"));
  });

  test("errors of others stay, and ours go when they no longer hold", async () => {
    const errors = [
      { type: "clock_drift", value: 1 },
      { type: "missing_sourcemap", url: "x" },
    ];
    const { result } = await errorsWith(files(), eventOf({ errors }));
    expect(result.event.errors).toEqual([{ type: "clock_drift", value: 1 }]);
  });
});

describe("what nearly fits", () => {
  async function missesOf(
    event: SymbolicationEvent,
    uploaded: Array<{ bundle: BundleFile[]; version: string; dist: string | null }>,
  ) {
    const uploads = new UploadFixtures();
    for (const [index, { bundle, ...release }] of uploaded.entries())
      await uploads.upload({ bytes: makeBundle(bundle, { note: String(index) }), releases: [release] });
    const { report } = await symbolicateEvent(event, optionsOf(uploads, { withDiagnosis: true }));
    return report.files[0]?.upload;
  }

  test.each([
    ["another dist", { bundle: files(), version: RELEASE.version, dist: "42" }, "other-dist"],
    ["another release", { bundle: files(), version: "shop@0.9", dist: null }, "other-release"],
    ["another path", { bundle: files({ url: "~/rolldown.js" }), version: RELEASE.version, dist: null }, "other-path"],
  ])("%s", async (_, uploaded, kind) => {
    const upload = await missesOf(eventOf(), [uploaded]);
    expect(upload).toMatchObject({
      state: "mismatch",
      nearMisses: expect.arrayContaining([expect.objectContaining({ kind })]),
    });
  });

  test("another build", async () => {
    const event = eventOf({}, framesOf("https://shop.example/assets/index-Dk3a9f_2.js"));
    const upload = await missesOf(event, [
      { bundle: files({ url: "~/assets/index-B7xY01qq.js" }), version: RELEASE.version, dist: null },
    ]);
    expect(upload?.nearMisses[0]).toMatchObject({ kind: "other-build", url: "~/assets/index-B7xY01qq.js" });
  });

  test("a file with a debug id, when the event brings none", async () => {
    const bundle = files({ headers: { "debug-id": ID }, url: "~/elsewhere/rolldown.js" });
    const upload = await missesOf(eventOf({ release: undefined }), [{ bundle, version: "x", dist: null }]);
    expect(upload?.nearMisses).toMatchObject([{ kind: "has-debug-id", debugId: ID }]);
  });

  test("nothing, when nothing is like it", async () => {
    const upload = await missesOf(eventOf(), [
      { bundle: files({ url: "~/other.js" }), version: RELEASE.version, dist: null },
    ]);
    expect(upload).toMatchObject({ state: "not_uploaded_yet", nearMisses: [], releaseHasUploads: true });
  });
});

test("answers with what is there when time is up, and has the rest the next time", async () => {
  const uploads = new UploadFixtures();
  await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
  let open: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { blobs } = uploads;
  const readNow = blobs.open.bind(blobs);
  blobs.open = async (key) => {
    await held;
    return await readNow(key);
  };
  const options = optionsOf(uploads);
  const late = await symbolicateEvent(eventOf(), { ...options, deadline: Promise.resolve() });
  expect(late).toMatchObject({ isChanged: false, report: { failure: "timed_out" } });
  expect(late.report.files[0]?.sourceMap.state).toBe("timed_out");
  expect(late.wanted).toEqual([]);
  const report = structuredClone(late.report);
  open();
  const next = await symbolicateEvent(eventOf(), options);
  expect(namesOf(next.event)).toEqual(MAPPED);
  // One opening for the map, one for the code: the first question had begun them.
  expect(blobs.openCount).toBe(2);
  expect(late.report).toEqual(report);
});

test("reads no further source when time is up, and has it the next time", async () => {
  const uploads = new UploadFixtures();
  const map = JSON.stringify({ ...JSON.parse(MAP), sourcesContent: undefined });
  const names = [...new Set((JSON.parse(MAP).sources as string[]).map((path) => path.replace(/^(\.\.\/)*/, "")))];
  const sources = names.map((name) => ({ url: `~/assets/${name}`, type: "source", content: "one\ntwo\n".repeat(50) }));
  await uploads.upload({ bytes: makeBundle([...files({ map }), ...sources]), releases: [RELEASE] });
  const { blobs } = uploads;
  const readNow = blobs.open.bind(blobs);
  const { promise: deadline, resolve: end } = Promise.withResolvers<void>();
  // The map, the code, and the first source.
  blobs.open = async (key) => {
    const reader = await readNow(key);
    if (blobs.openCount === 3) end();
    return reader;
  };
  const options = optionsOf(uploads);
  const linesOf = (event: SymbolicationEvent) =>
    event.exception?.values[0]?.stacktrace?.frames.filter(({ context_line: line }) => line !== undefined).length;
  const late = await symbolicateEvent(eventOf(), { ...options, deadline });
  expect(late.report.failure).toBe("timed_out");
  expect(namesOf(late.event)).toEqual(MAPPED);
  expect(blobs.openCount).toBe(3);
  const next = await symbolicateEvent(eventOf(), options);
  expect(blobs.openCount).toBeGreaterThan(3);
  expect(linesOf(next.event)).toBeGreaterThan(linesOf(late.event) ?? 0);
});

test("a blob that is gone is looked for again, one that is damaged is not", async () => {
  const uploads = new UploadFixtures();
  const bytes = makeBundle(files());
  const { checksum } = await uploads.upload({ bytes, releases: [RELEASE] });
  const options = optionsOf(uploads);
  uploads.blobs.blobs.delete(checksum);
  const gone = await symbolicateEvent(eventOf(), options);
  expect(gone.report.files[0]?.sourceMap).toMatchObject({ state: "missing", error: "missing_sourcemap" });
  uploads.blobs.blobs.set(checksum, bytes.subarray(0, 100));
  const damagedOptions = { ...options, files: new SourceMapCache(uploads.blobs) };
  const damaged = { state: "mismatch", error: "malformed_sourcemap", problem: expect.stringContaining("not a ZIP") };
  expect((await symbolicateEvent(eventOf(), damagedOptions)).report.files[0]?.sourceMap).toMatchObject(damaged);
  uploads.blobs.blobs.set(checksum, bytes);
  expect((await symbolicateEvent(eventOf(), damagedOptions)).report.files[0]?.sourceMap).toMatchObject(damaged);
  expect(namesOf((await symbolicateEvent(eventOf(), options)).event)).toEqual(MAPPED);
});

test("a map over the limit is refused with the limit named", async () => {
  const uploads = new UploadFixtures();
  await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
  const cache = new SourceMapCache(uploads.blobs, { maxMapBytes: 2_000 });
  const { report, event } = await symbolicateEvent(eventOf(), { ...optionsOf(uploads), files: cache });
  expect(report.files[0]?.sourceMap.problem).toBe(`the source map has ${MAP.length} bytes, at most 2000 are read`);
  expect(event.errors).toEqual([expect.objectContaining({ type: "sourcemap_too_large", url: URL })]);
});

test("asks the store nothing twice, until an upload comes", async () => {
  const uploads = new UploadFixtures();
  const options = optionsOf(uploads);
  await symbolicateEvent(eventOf(), options);
  const asked = uploads.artifacts.questionCount;
  for (let round = 0; round < 20; round++) await symbolicateEvent(eventOf(), options);
  expect(uploads.artifacts.questionCount).toBe(asked);
  await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
  expect(namesOf((await symbolicateEvent(eventOf(), options)).event)).toEqual(MAPPED);
});

/** Stands beside a checkout; a clone of its own does not have it. */
const SAMPLES = join(import.meta.dirname, "../../../shared/samples");
const EVENT = join(SAMPLES, "events/uglifyjs-minified-sourcemaps-in-bundle.json");
test.skipIf(!existsSync(EVENT))("the pair of bundle and event that others publish", async () => {
  const uploads = new UploadFixtures();
  await uploads.upload({ bytes: readFileSync(join(SAMPLES, "artifact-bundles/uglifyjs-minified.zip")) });
  const { event } = await symbolicateEvent(JSON.parse(readFileSync(EVENT, "utf8")), optionsOf(uploads));
  const frames = event.exception?.values[0]?.stacktrace?.frames ?? [];
  expect(frames.map(({ function: name, lineno, context_line: line }: Frame) => [name, lineno, line])).toEqual([
    ["onclick", 1, undefined],
    ["captureException", 15, "    foo();"],
    ["foo", 11, "    bar();"],
    ["bar", 7, '    Sentry.captureException(new Error("Sentry Test Error"));'],
  ]);
});

describe("files that are fetched from where the application serves them", () => {
  const served = new Map<string, string>();
  let asked: string[] = [];

  function publicFiles({ isEnabled = true } = {}): PublicFiles & { readFetched: ReadFetched } {
    asked = [];
    return {
      isEnabled: async () => isEnabled,
      async fetch(_, url) {
        asked.push(url);
        const text = served.get(url);
        if (text === undefined) return { kind: "failed", reason: "the server answered 404" };
        return { kind: "fetched", bytes: Buffer.from(text), sourceMapUrl: null, version: `url:${url}`, fetchedAt: 1 };
      },
      readFetched: ({ checksum }) => Buffer.from(served.get(checksum.slice(4)) ?? ""),
    };
  }

  async function symbolicate(event: SymbolicationEvent, files = publicFiles(), uploads = new UploadFixtures()) {
    const cache = new SourceMapCache(uploads.blobs, {}, files.readFetched);
    return symbolicateEvent(event, { ...optionsOf(uploads), files: cache, publicFiles: files });
  }

  beforeEach(() => {
    served.clear();
    served.set(URL, CODE);
    served.set(`${URL}.map`, MAP);
  });

  test("map frames when nothing was uploaded, even without a release", async () => {
    const result = await symbolicate(eventOf({ release: undefined }));
    expect(namesOf(result.event)).toEqual(MAPPED);
    expect(asked).toEqual([URL, `${URL}.map`]);
    expect(result.event.exception?.values[0]?.stacktrace?.frames[0]?.data).toMatchObject({ resolved_with: "scraping" });
    const [file] = result.report.files;
    expect(file?.upload).toMatchObject({ state: "found", resolvedWith: "scraping" });
    expect(file?.publicFetches).toEqual([
      { url: URL, outcome: "fetched", reason: null },
      { url: `${URL}.map`, outcome: "fetched", reason: null },
    ]);
    expect(result.wanted).toEqual([]);
  });

  test("are not asked for when the project does not allow it, or an upload answers", async () => {
    const refused = await symbolicate(eventOf(), publicFiles({ isEnabled: false }));
    expect([refused.isChanged, asked]).toEqual([false, []]);
    const uploads = new UploadFixtures();
    await uploads.upload({ bytes: makeBundle(files()), releases: [RELEASE] });
    const answered = await symbolicate(eventOf(), publicFiles(), uploads);
    expect([namesOf(answered.event), asked]).toEqual([MAPPED, []]);
  });

  test("are asked for a few at a time, and no more when time is up", async () => {
    const paths = Array.from({ length: 50 }, (_, index) => `https://shop.example/${index}.js`);
    const event = eventOf(
      { release: undefined },
      paths.flatMap((path) => framesOf(path)),
    );
    const { promise: deadline, resolve: end } = Promise.withResolvers<void>();
    const files = publicFiles();
    let running = 0;
    let most = 0;
    files.fetch = async (_, url) => {
      asked.push(url);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      if (asked.length >= 20) end();
      running--;
      return { kind: "failed", reason: "the server answered 404" };
    };
    const options = { ...optionsOf(new UploadFixtures()), publicFiles: files };
    await symbolicateEvent(event, { ...options, deadline });
    await new Promise(setImmediate);
    expect(most).toBe(4);
    expect(asked.length).toBeLessThan(30);
    asked = [];
    await symbolicateEvent(event, options);
    expect(asked).toEqual(paths);
  });

  test("that cannot be fetched say why, and are wanted as before", async () => {
    served.delete(URL);
    const gone = await symbolicate(eventOf());
    expect(gone.report.files[0]).toMatchObject({
      upload: { state: "not_uploaded_yet" },
      publicFetches: [{ url: URL, outcome: "failed", reason: "the server answered 404" }],
    });
    expect(gone.wanted).toHaveLength(1);
    const [explained] = explainReport(gone.report, { serverUrl: "https://errors.example", org: "a", project: "b" });
    expect(explained?.steps[1]?.text).toMatch(/ https:.*rolldown\.js could not be fetched: the server answered 404\.$/);

    served.set(URL, CODE);
    served.delete(`${URL}.map`);
    const mapless = await symbolicate(eventOf());
    const [later] = explainReport(mapless.report, { serverUrl: "https://errors.example", org: "a", project: "b" });
    expect(later?.summary).toMatch(/ names rolldown\.js\.map\. .* could not be fetched: the server answered 404\.$/);
  });

  test("of other schemes are left alone", async () => {
    await symbolicate(eventOf({}, framesOf("app:///rolldown.js")));
    expect(asked).toEqual([]);
  });
});
