import { expect, test } from "vitest";
import type { Frame } from "../domain/event.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { type ExplainedFile, explainReport, explainSkip } from "./explain-report.ts";
import { type BundleFile, makeBundle, optionsOf } from "./fixtures/map-stacks.ts";
import { UploadFixtures } from "./fixtures/memory-stores.ts";
import { reportFailure } from "./start-report.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";

const CONTEXT = { serverUrl: "https://errors.example", org: "acme", project: "web" };
const MAP = JSON.stringify({ version: 3, sources: ["a.ts"], names: [], mappings: "AAAA,IACA" });
const CODE = "f();g();\n//# sourceMappingURL=app.js.map\n";
const FRAME: Frame = { abs_path: "https://shop.example/assets/app.js", lineno: 1, colno: 1, in_app: true };

function files(url = "~/assets/app.js", headers = {}): BundleFile[] {
  return [
    { url, type: "minified_source", content: CODE, headers },
    { url: `${url}.map`, type: "source_map", content: MAP, headers },
  ];
}

async function explain(
  more: Partial<SymbolicationEvent>,
  uploaded: Array<{ bundle: BundleFile[]; version: string; dist?: string }>,
  frame: Frame = FRAME,
): Promise<ExplainedFile> {
  const uploads = new UploadFixtures();
  for (const { bundle, version, dist = null } of uploaded)
    await uploads.upload({ bytes: makeBundle(bundle), releases: [{ version, dist }] });
  const event: SymbolicationEvent = {
    platform: "javascript",
    release: "shop@1.0",
    exception: { values: [{ stacktrace: { frames: [frame] } }] },
    ...more,
  };
  const { report } = await symbolicateEvent(event, optionsOf(uploads, { withDiagnosis: true }));
  return explainReport(report, CONTEXT)[0] as ExplainedFile;
}

test("what works needs no mending", async () => {
  const explained = await explain({}, [{ bundle: files(), version: "shop@1.0" }]);
  expect(explained.isMapped).toBe(true);
  expect(explained.steps.map(({ state }) => state)).toEqual(["found", "found", "found", "found", "found"]);
  expect(explained.steps.at(-1)?.text).toBe(
    "Line 1, column 1 is a.ts:1. The map has no text of that source, so no lines are shown.",
  );
  expect(explained.fixes).toEqual([{ text: expect.stringContaining("sourcesContent"), command: null }]);
});

test("another dist: the command has the event's", async () => {
  const explained = await explain({ dist: "7" }, [{ bundle: files(), version: "shop@1.0", dist: "6" }]);
  expect(explained.summary).toBe(
    "~/assets/app.js was uploaded for release shop@1.0, dist 6, but the event is of release shop@1.0, dist 7: the dist must be the same.",
  );
  expect(explained.fixes[0]?.command).toBe(
    "sentry-cli --url https://errors.example sourcemaps upload --org acme --project web --release shop@1.0 --dist 7 --url-prefix '~/assets/' ./dist",
  );
});

test("another path: the command has the prefix that frames have", async () => {
  const explained = await explain({}, [{ bundle: files("~/app.js"), version: "shop@1.0" }]);
  expect(explained.summary).toContain(
    "The release has ~/app.js: the same file name under another path than the ~/assets/app.js",
  );
  expect(explained.fixes[0]?.command).toContain("--url-prefix '~/assets/'");
});

test("a debug id that nobody uploaded", async () => {
  const images = [{ type: "sourcemap", code_file: FRAME.abs_path, debug_id: "9b7990f8-1f25-571a-a422-03bea91eb8ab" }];
  const explained = await explain({ debug_meta: { images } }, []);
  expect(explained.summary).toBe("No upload of this project has debug id 9b7990f8-1f25-571a-a422-03bea91eb8ab.");
  expect(explained.fixes.map(({ command }) => command)).toEqual([
    "sentry-cli --url https://errors.example sourcemaps upload --org acme --project web ./dist",
  ]);
});

test("neither release nor debug id", async () => {
  const explained = await explain({ release: undefined }, []);
  expect(explained.summary).toContain("neither a debug id for this file nor a release");
  expect(explained.fixes[0]?.command).toContain("sourcemaps inject");
});

test("a map that was not uploaded with its file", async () => {
  const explained = await explain({}, [{ bundle: files().slice(0, 1), version: "shop@1.0" }]);
  expect(explained.summary).toBe("~/assets/app.js names app.js.map, but none of ~/assets/app.js.map was uploaded.");
  expect(explained.fixes[0]?.text).toContain("Make the bundler write source maps");
});

test("a map of another build", async () => {
  const explained = await explain({}, [{ bundle: files(), version: "shop@1.0" }], { ...FRAME, lineno: 9 });
  expect(explained.summary).toBe("The source map has no line 9, column 1: it belongs to another build of the file.");
});

test("words from outside are quoted for the shell", async () => {
  const explained = await explain({ release: "a'; rm -rf $HOME #" }, []);
  expect(explained.fixes.at(-1)?.command).toContain("--release 'a'\\''; rm -rf $HOME #'");
});

test("time that ran out asks for another look", () => {
  const event: SymbolicationEvent = { platform: "javascript", stacktrace: { frames: [FRAME] }, release: "1" };
  const [explained] = explainReport(reportFailure(event, "timed_out"), CONTEXT);
  expect(explained?.fixes).toEqual([{ text: "Look again in a few seconds.", command: null }]);
});

test("reasons for leaving frames alone have words", () => {
  expect(explainSkip("inline-script")).toBe("The script stands in the page itself.");
});
