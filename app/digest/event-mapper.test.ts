import { describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { type SplitDigested, splitDigested } from "../../tests/support/split-digested.ts";
import { recordedFrames } from "../../tests/support/upload-maps.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import { reportFailure, reportNothing } from "../symbolicate/start-report.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { digestRecord, joinParts } from "./digest-records.ts";
import { EventMapper } from "./event-mapper.ts";

type Symbolicate = Symbolicator["symbolicate"];

/** Maps every frame to `readable`. */
const mapsAll: Symbolicate = async (event) => {
  const values = event.exception?.values.map((exception) => ({
    ...exception,
    raw_stacktrace: exception.stacktrace,
    stacktrace: {
      frames: (exception.stacktrace?.frames ?? []).map((frame) => ({
        ...frame,
        function: "readable",
        abs_path: "https://shop.example/src/a.ts?token=4f0c2d11aa9921bb",
        data: { symbolicated: true },
      })),
    },
  }));
  const report = { ...reportNothing(event), files: [] };
  return { event: { ...event, exception: { values: values ?? [] } }, isChanged: true, report, wanted: [] };
};
const diesAlways: Symbolicate = async (event) => ({
  event,
  isChanged: false,
  report: reportFailure(event, "thread_died"),
  wanted: [],
});

function recordOf(sequence: number, projectId: number, events: object[]) {
  const items = events.map((event) => `{"type":"event"}\n${JSON.stringify(event)}\n`).join("");
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId,
    keyId: 1,
    receivedAt: Date.UTC(2026, 5, 1),
    eventId: sequence.toString(16).padStart(32, "0"),
    clientAddress: "203.0.113.7",
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(`{}\n${items}`),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

const minified = {
  platform: "javascript",
  release: "shop@1",
  exception: { values: [{ type: "Error", value: "x", stacktrace: { frames: recordedFrames("rolldown") } }] },
};
const plain = { platform: "python", message: "hello" };

async function upload({ stores, projectId }: DigestFolder): Promise<void> {
  await stores.state.artifacts.saveArtifactBundle(
    EVERYTHING,
    {
      checksum: "a".repeat(40),
      container: "zip",
      debugId: null,
      note: null,
      bytes: 1,
      uploadedAt: 1,
      uploadedBy: null,
      projectIds: [projectId],
      releases: [],
    },
    [],
  );
}

async function digest(mapper: EventMapper, records: ReturnType<typeof recordOf>[]): Promise<SplitDigested> {
  const mapping = await mapper.begin();
  const parts = records.flatMap((record) => digestRecord(record, { mapToSources: mapping.map }));
  const digested = await joinParts(parts);
  mapping.end();
  return splitDigested(digested);
}

function storedOf({ payload }: SplitDigested["events"][number]): StoredEvent {
  return JSON.parse(Buffer.from(payload ?? []).toString());
}

describe("the source maps of a batch", () => {
  test("events come back mapped, scrubbed and grouped, in the order of their records", async () => {
    await using folder = await openDigestFolder();
    await upload(folder);
    const { projectId } = folder;
    const mapper = new EventMapper({
      symbolicator: { symbolicate: mapsAll },
      artifacts: folder.stores.state.artifactIndex,
    });
    const records = [[plain], [minified, plain, minified], [plain], [minified]].map((events, sequence) =>
      recordOf(sequence, projectId, events),
    );
    const { events, setAside } = await digest(mapper, records);
    expect(setAside).toEqual([]);
    expect(events.map(({ row }) => [row.sequence, row.platform])).toEqual([
      [0, "python"],
      [1, "javascript"],
      [1, "python"],
      [1, "javascript"],
      [2, "python"],
      [3, "javascript"],
    ]);
    const mapped = events.at(-1);
    const { event, grouping } = storedOf(mapped as SplitDigested["events"][number]);
    const [exception] = event.exception?.values ?? [];
    expect(exception?.stacktrace?.frames.at(-1)).toMatchObject({ function: "readable" });
    expect(exception?.stacktrace?.frames.at(-1)?.abs_path).not.toContain("4f0c2d11");
    expect(exception?.raw_stacktrace?.frames.at(-1)).toMatchObject({ function: "e", lineno: 1 });
    expect(mapped?.occurrence.culprit).toContain("readable");
    expect(grouping?.contributions).toContainEqual(expect.objectContaining({ kind: "frame", function: "readable" }));
  });

  test("a project without uploads asks nobody, and notes what its events want", async () => {
    await using folder = await openDigestFolder();
    let asked = 0;
    const symbolicate: Symbolicate = (event, options) => {
      asked++;
      return mapsAll(event, options);
    };
    const mapper = new EventMapper({ symbolicator: { symbolicate }, artifacts: folder.stores.state.artifactIndex });
    for (const sequence of [0, 1]) {
      const { events } = await digest(mapper, [recordOf(sequence, folder.projectId, [minified])]);
      expect(events[0]?.occurrence.missingSourceMaps).toEqual([
        {
          debugId: null,
          release: "shop@1",
          dist: null,
          sampleUrl: "https://shop.example/assets/rolldown.js",
          isForeign: false,
          type: "source_map",
        },
      ]);
      expect(events[0]?.occurrence.isMappedLate).toBeUndefined();
    }
    expect(asked).toBe(0);
    await upload(folder);
    await digest(mapper, [recordOf(2, folder.projectId, [minified])]);
    expect(asked).toBe(1);
  });

  test("a symbolicator that dies or does not answer stops nothing: events are stored as sent, and noted as late", async () => {
    await using folder = await openDigestFolder();
    await upload(folder);
    const limits: number[] = [];
    const symbolicate: Symbolicate = (event, options) => {
      limits.push(options.limitMs ?? 0);
      return diesAlways(event, options);
    };
    const artifacts = folder.stores.state.artifactIndex;
    const mapper = new EventMapper({ symbolicator: { symbolicate }, artifacts, limitMs: 60_000 });
    for (const sequence of [0, 1]) {
      const { events } = await digest(mapper, [recordOf(sequence, folder.projectId, [minified, plain])]);
      expect(events.map(({ occurrence }) => occurrence.isMappedLate)).toEqual([true, undefined]);
      expect(events[0]?.occurrence.missingSourceMaps).toMatchObject([{ release: "shop@1" }]);
    }
    // The next batch does not wait as long again.
    expect(limits[0]).toBeGreaterThan(50_000);
    expect(limits[1]).toBeLessThanOrEqual(100);
  });

  test("an example of a path has no secrets of the page's address", async () => {
    await using folder = await openDigestFolder();
    const frames = [
      {
        abs_path: "https://shop.example/a.js?token=4f0c2d11aa9921bb77",
        function: "a",
        lineno: 1,
        colno: 2,
        in_app: true,
      },
    ];
    const exception = { values: [{ type: "Error", value: "x", stacktrace: { frames } }] };
    const mapper = new EventMapper({
      symbolicator: { symbolicate: mapsAll },
      artifacts: folder.stores.state.artifactIndex,
    });
    const { events } = await digest(mapper, [recordOf(0, folder.projectId, [{ ...minified, exception }])]);
    expect(events[0]?.occurrence.missingSourceMaps).toMatchObject([{ sampleUrl: "https://shop.example/a.js" }]);
    expect(Buffer.from(events[0]?.payload ?? []).toString()).not.toContain("4f0c2d11aa");
  });
});
