import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeZip, SYSB_PREFIX, type ZipFixtureEntry } from "./fixtures/make-zip.ts";
import { readerOf } from "./fixtures/memory-stores.ts";
import { readArtifactBundle, readBundleFile } from "./read-artifact-bundle.ts";
import { ArchiveError } from "./zip-directory.ts";

const ID = "9b7990f8-1f25-571a-a422-03bea91eb8ab";
const PLAIN_ID = ID.replaceAll("-", "");

function withManifest(
  files: Record<string, unknown>,
  entries: ZipFixtureEntry[],
  more: object = {},
): ZipFixtureEntry[] {
  return [{ path: "manifest.json", content: JSON.stringify({ ...more, files }) }, ...entries];
}

const FILES = {
  "_/_/app.js": { type: "minified_source", url: "~/app.js", headers: { "Debug-Id": ID, Sourcemap: "app.js.map" } },
  "_/_/app.js.map": { type: "source_map", url: "~/app.js.map", headers: { "debug-id": ID.toUpperCase() } },
};
const ENTRIES: ZipFixtureEntry[] = [
  { path: "_/_/app.js", content: "let a=1" },
  { path: "_/_/app.js.map", content: "{}", isStored: true },
];

describe("what an upload says of itself", () => {
  test.each([
    ["a plain ZIP", {}],
    ["with the prefix, offsets from the start of the file", { prefix: SYSB_PREFIX }],
    ["with the prefix, offsets from behind it", { prefix: SYSB_PREFIX, isShifted: true }],
    ["with the end records for large archives", { isZip64: true }],
  ])("%s", async (_, options) => {
    const manifest = { org: "acme", project: "web", release: "1.0", dist: "a", note: null, debug_id: ID };
    const reader = readerOf(makeZip(withManifest(FILES, ENTRIES, manifest), options));
    const bundle = await readArtifactBundle(reader);
    expect(bundle.manifest).toEqual({
      debugId: PLAIN_ID,
      org: "acme",
      project: "web",
      release: "1.0",
      dist: "a",
      note: null,
      files: [
        {
          path: "_/_/app.js",
          type: "minified_source",
          url: "~/app.js",
          debugId: PLAIN_ID,
          sourceMapUrl: "app.js.map",
          bytes: 7,
        },
        {
          path: "_/_/app.js.map",
          type: "source_map",
          url: "~/app.js.map",
          debugId: PLAIN_ID,
          sourceMapUrl: null,
          bytes: 2,
        },
      ],
      ignored: [],
    });
    expect((await readBundleFile(reader, bundle.directory, "_/_/app.js", 100)).toString()).toBe("let a=1");
    expect((await readBundleFile(reader, bundle.directory, "_/_/app.js.map", 100)).toString()).toBe("{}");
  });

  // Stands beside a checkout; a clone of its own does not have it.
  const sample = join(import.meta.dirname, "../../../shared/samples/artifact-bundles/uglifyjs-minified.zip");
  test.skipIf(!existsSync(sample))("the one that sentry-cli made", async () => {
    const { manifest } = await readArtifactBundle(readerOf(readFileSync(sample)));
    expect(manifest).toMatchObject({ org: "singleorg", project: "foobar", release: null });
    expect(manifest.files.map(({ url, type, debugId }) => [url, type, debugId])).toEqual([
      ["~/bundle.tracing.min.js", "minified_source", null],
      ["~/captureException.js", "minified_source", PLAIN_ID],
      ["~/captureException.min.js", "minified_source", PLAIN_ID],
      ["~/captureException.min.js.map", "source_map", PLAIN_ID],
    ]);
  });

  test("is read from the files where the manifest does not say it", async () => {
    const files = {
      "app.js": { type: "minified_source", url: "~/app.js" },
      "inline.js": { type: "minified_source", url: "~/inline.js" },
      "app.js.map": { type: "source_map", url: "~/app.js.map" },
      "new.js.map": { type: "source_map", url: "~/new.js.map" },
    };
    const code = `let a="//# sourceMappingURL=no.map"\n//# sourceMappingURL=app.js.map\n//# debugId=${ID}\n`;
    const inline = `let a\n//# debugId=${ID}\n//# sourceMappingURL=data:application/json;base64,${"A".repeat(10_000)}`;
    const entries = [
      { path: "app.js", content: code },
      { path: "inline.js", content: inline },
      { path: "app.js.map", content: JSON.stringify({ mappings: "", x: { debug_id: "no" }, debug_id: ID }) },
      { path: "new.js.map", content: JSON.stringify({ mappings: "", debugId: ID.toUpperCase() }) },
    ];
    const bytes = makeZip(withManifest(files, entries));
    const { manifest } = await readArtifactBundle(readerOf(bytes), { derive: true });
    expect(manifest.files.map(({ debugId, sourceMapUrl }) => [debugId, sourceMapUrl])).toEqual([
      [PLAIN_ID, "app.js.map"],
      [PLAIN_ID, null],
      [PLAIN_ID, null],
      [PLAIN_ID, null],
    ]);
    const plain = await readArtifactBundle(readerOf(bytes));
    expect(plain.manifest.files.every(({ debugId }) => debugId === null)).toBe(true);
  });

  test("wrong types of single things leave them out", async () => {
    const files = {
      "_/_/app.js": { type: "MINIFIED_SOURCE", url: 7, headers: ["debug-id"] },
      "_/_/app.js.map": { type: "picture", url: "~/x" },
    };
    const { manifest } = await readArtifactBundle(
      readerOf(makeZip(withManifest(files, ENTRIES, { release: 3, debug_id: {} }))),
    );
    expect(manifest.release).toBeNull();
    expect(manifest.files).toMatchObject([{ type: "minified_source", url: null, debugId: null }]);
    expect(manifest.ignored).toEqual([{ path: "_/_/app.js.map", reason: expect.stringContaining("type") }]);
  });
});

describe("what is refused, with the reason", () => {
  const read = (bytes: Uint8Array, limits = {}): Promise<unknown> => readArtifactBundle(readerOf(bytes), { limits });
  const one = (entry: Partial<ZipFixtureEntry>): Buffer => makeZip([{ path: "a", content: "x", ...entry }]);
  const big = Buffer.alloc(8 * 1024 * 1024);

  test.each<[string, Uint8Array, RegExp]>([
    ["no archive", Buffer.from("hello"), /not a ZIP archive/],
    ["nothing", Buffer.alloc(0), /not a ZIP archive/],
    ["a prefix alone", Buffer.from(SYSB_PREFIX), /not a ZIP archive/],
    ["no manifest", makeZip(ENTRIES), /no manifest\.json/],
    ["a path out of the archive", one({ path: "../../etc/passwd" }), /invalid relative path/],
    ["one with backslashes", one({ path: "..\\x" }), /invalid relative path/],
    ["an absolute path", one({ path: "/etc/passwd" }), /absolute path/],
    ["a drive", one({ path: "C:\\x" }), /absolute path/],
    ["a long path", one({ path: "a".repeat(2_000) }), /2000 characters, at most 1024/],
    ["two of one name", makeZip([...ENTRIES, ...ENTRIES]), /two entries called "_\/_\/app\.js"/],
    ["a symbolic link", one({ mode: 0o120777 }), /symbolic link/],
    ["an encrypted entry", one({ flags: 1 }), /encrypted/],
    ["another compression", one({ method: 12 }), /method 12/],
    ["a bomb", one({ content: big }), /at most 300 times/],
    [
      "entries that share bytes",
      makeZip([
        { path: "a", content: "x".repeat(50) },
        { path: "b", content: "x", claims: { compressedBytes: 9_000, bytes: 9_000 } },
      ]),
      /overlap/,
    ],
    ["more entries than it has", makeZip(ENTRIES, { entryCount: 3 }), /not a ZIP archive/],
    ["a manifest that is no JSON", one({ path: "manifest.json", content: "{" }), /manifest\.json cannot be read/],
    ["a manifest that is a list", one({ path: "manifest.json", content: "[]" }), /not a JSON object/],
    ["a manifest without files", one({ path: "manifest.json", content: '{"files":[]}' }), /no object called files/],
    [
      "a deep manifest",
      one({ path: "manifest.json", content: `{"files":${"[".repeat(500)}${"]".repeat(500)}}` }),
      /nested deeper/,
    ],
    [
      "a file that is not there",
      makeZip(withManifest({ "no.js": { type: "source" } }, [])),
      /lists "no\.js", which is not/,
    ],
    [
      "a lie about the size",
      one({ path: "manifest.json", content: '{"files":{}}', claims: { bytes: 3 } }),
      /cannot be decompressed to the 3 bytes/,
    ],
    [
      "a lie about the checksum",
      one({ path: "manifest.json", content: '{"files":{}}', claims: { crc32: 1 } }),
      /checksum differs/,
    ],
    ["an entry that is nowhere", one({ path: "manifest.json", claims: { headerOffset: 1_000_000 } }), /nothing where/],
  ])("%s", async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toThrow(ArchiveError);
    await expect(read(bytes)).rejects.toThrow(reason);
  });

  test("more than the limits, each named", async () => {
    const bytes = makeZip(withManifest(FILES, ENTRIES));
    await expect(read(bytes, { maxEntries: 2 })).rejects.toThrow("3 entries, at most 2");
    await expect(read(bytes, { maxTotalBytes: 20 })).rejects.toThrow("larger than 20 bytes");
    await expect(read(bytes, { maxManifestBytes: 10 })).rejects.toThrow("at most 10 are read");
    await expect(read(bytes, { maxEntries: 3 })).resolves.toBeDefined();
  });
});
