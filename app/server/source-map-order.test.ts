import { expect, test } from "vitest";
import { PassFolder } from "../../tests/support/pass-folder.ts";
import { type Bundler, recordedFrames } from "../../tests/support/upload-maps.ts";
import type { Frame } from "../domain/event.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";

// Whether a source map comes before an event or after it: people see the same.

const RELEASE = "shop@1";
const DEBUG_ID = "9b7990f8-1f25-571a-a422-03bea91eb8ab";
const BUNDLERS: readonly Bundler[] = ["rolldown", "terser", "webpack"];

const SAY_NOTHING = ({ in_app: _, ...frame }: Frame): Frame => frame;

/** The client's word on whether a frame is in-app. */
const SAID: Record<string, (frame: Frame, index: number) => Frame> = {
  "in the app": (frame) => ({ ...frame, in_app: true }),
  nothing: SAY_NOTHING,
  "not in the app": (frame) => ({ ...frame, in_app: false }),
  "of some frames": ({ in_app: _, ...frame }, index) => (index % 2 === 0 ? { ...frame, in_app: true } : frame),
  "at an address with a secret": (frame) => ({
    ...frame,
    in_app: true,
    abs_path: `${frame.abs_path}?token=4f0c2d11aa9921bb77&card=4111111111111111`,
  }),
  "of the page's vendor folder": (frame) => ({
    ...frame,
    in_app: true,
    abs_path: `${frame.abs_path}?from=/vendor/shop.js`,
  }),
};

const SHAPES: Record<string, (frames: Frame[], other: Frame[]) => object> = {
  exception: (frames) => ({ exception: { values: [{ type: "Error", value: "x", stacktrace: { frames } }] } }),
  "chained exceptions": (frames, other) => ({
    exception: {
      values: [
        {
          type: "TypeError",
          value: "inner",
          stacktrace: { frames: other },
          mechanism: { exception_id: 1, parent_id: 0, type: "chained" },
        },
        { type: "Error", value: "outer", stacktrace: { frames }, mechanism: { exception_id: 0, type: "generic" } },
      ],
    },
  }),
  "a stack beside a message": (frames) => ({ message: "something happened", stacktrace: { frames } }),
  "the thread of a message": (frames, other) => ({
    message: "something else happened",
    threads: {
      values: [
        { id: 1, crashed: true, stacktrace: { frames } },
        { id: 2, stacktrace: { frames: other } },
      ],
    },
  }),
  "the crashed thread of an exception": (frames, other) => ({
    exception: { values: [{ type: "Error", value: "y", thread_id: 1 }] },
    threads: {
      values: [
        { id: 1, crashed: true, stacktrace: { frames } },
        { id: 2, stacktrace: { frames: other } },
      ],
    },
  }),
  "an exception with a fingerprint": (frames) => ({
    fingerprint: ["checkout", "{{ default }}"],
    exception: { values: [{ type: "Error", value: "x", stacktrace: { frames } }] },
  }),
  "an exception with a fingerprint of its own": (frames) => ({
    fingerprint: ["all of them"],
    exception: { values: [{ type: "Error", value: "x", stacktrace: { frames } }] },
  }),
  "an exception of another platform": (frames) => ({
    platform: "other",
    exception: {
      values: [
        {
          type: "Error",
          value: "x",
          stacktrace: { frames: frames.map((frame) => ({ ...frame, platform: "javascript" })) },
        },
      ],
    },
  }),
  "an exception in files of two builds, one of which says nothing": (frames) => ({
    exception: {
      values: [
        {
          type: "Error",
          value: "two files",
          stacktrace: { frames: [...recordedFrames("webpack", "getter").map(SAY_NOTHING), ...frames] },
        },
      ],
    },
  }),
  "an exception between the system's frames": (frames) => ({
    exception: {
      values: [
        {
          type: "Error",
          value: "x",
          stacktrace: {
            frames: [
              { abs_path: "https://cdn.jsdelivr.net/npm/x.js", function: "a", lineno: 1, colno: 2 },
              ...frames,
              { abs_path: "native", function: "forEach" },
            ],
          },
        },
      ],
    },
  }),
};

function makeEvents(say: (frame: Frame, index: number) => Frame): object[] {
  return BUNDLERS.flatMap((bundler) => {
    const framesOf = (name: string) => recordedFrames(bundler, name).map(say);
    const code_file = framesOf("method")[0]?.abs_path;
    const images = {
      debug_meta: {
        images: [{ type: "sourcemap", code_file, debug_id: DEBUG_ID.replace(/^./, `${BUNDLERS.indexOf(bundler)}`) }],
      },
    };
    return ["plainFunction"].flatMap((name) =>
      Object.values(SHAPES).flatMap((shape) => {
        const event = { platform: "javascript", ...shape(framesOf(name), framesOf("getter")) };
        return [
          { ...event, release: RELEASE },
          { ...event, ...images },
        ];
      }),
    );
  });
}

function uploadsOf(pass: PassFolder): Array<() => Promise<void>> {
  return BUNDLERS.flatMap((bundler, index) => [
    () => pass.upload(bundler, RELEASE),
    () => pass.upload(bundler, RELEASE, DEBUG_ID.replace(/^./, `${index}`)),
  ]);
}

async function uploadAll(pass: PassFolder): Promise<void> {
  for (const upload of uploadsOf(pass)) await upload();
}

/** Everything that lists and searches say of the events, without the ids of issues: those depend on the order. */
async function look(pass: PassFolder, eventIds: readonly string[]): Promise<unknown> {
  const rows = await Promise.all(eventIds.map((eventId) => pass.folder.events.getEvent(eventId, projects(1, 2, 3))));
  const issueIds = [...new Set(rows.map((row) => row?.issueId ?? 0))];
  const issues = await pass.folder.stores.state.issues.getIssues(EVERYTHING, issueIds);
  const query = { from: null, to: null, sort: "last_seen", cursor: null, limit: 100 } as const;
  const found = async (text: string[]) => {
    const { issues: page } = await pass.folder.stores.state.issues.listIssues(EVERYTHING, { ...query, text });
    return page.map(({ id }) => issueIds.indexOf(id)).sort((a, b) => a - b);
  };
  return {
    issues: issues.map(({ title, culprit, type, value, level, platform, isUnhandled, eventCount }) => ({
      title,
      culprit,
      type,
      value,
      level,
      platform,
      isUnhandled,
      eventCount,
    })),
    events: rows.map((row) => ({
      ...row,
      issueId: issueIds.indexOf(row?.issueId ?? 0),
      payload: null,
      payloadBytes: 0,
      occurredAt: 0,
      receivedAt: 0,
    })),
    hashes: await Promise.all(
      issueIds.map(async (id) => (await pass.folder.stores.state.issues.listIssueHashes(EVERYTHING, id)).length > 0),
    ),
    searches: await Promise.all([["cart.js"], ["api.js"], ["fail"], ["rolldown"], ["webpack.js"]].map(found)),
    listedCount: (await pass.folder.stores.state.issues.listIssues(EVERYTHING, { ...query })).issues.length,
    wanted: (await pass.wanted())
      .map(({ issueId, debugId, release, isForeign }) => ({
        issue: issueIds.indexOf(issueId),
        debugId,
        release,
        isForeign,
      }))
      .sort((a, b) => a.issue - b.issue),
  };
}

test.each(Object.entries(SAID))(
  "map first or event first, all is the same where the client says %s",
  async (_, say) => {
    const events = makeEvents(say);
    await using before = await PassFolder.open();
    await uploadAll(before);
    const expected = await look(before, await before.storeSent(structuredClone(events), { isMapped: true }));
    await using after = await PassFolder.open();
    const eventIds = await after.storeSent(structuredClone(events));
    const unmapped = await look(after, eventIds);
    await uploadAll(after);
    const job = after.start();
    await expect.poll(() => job.progress().endedAt).not.toBeNull();
    expect(await look(after, eventIds)).toEqual(expected);
    expect(unmapped).not.toEqual(expected);
  },
);

/** Numbers from 0 up to the bound, the same for the same seed. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
}

test.each([1, 2, 3])("whenever uploads come, all is as if they had come before (seed %i)", async (seed) => {
  const random = createRandom(seed);
  const events = makeEvents((frame, index) => ((index + seed) % 3 === 0 ? SAY_NOTHING(frame) : frame))
    .filter(() => random(4) === 0)
    .sort(() => random(3) - 1);
  await using before = await PassFolder.open();
  for (const upload of uploadsOf(before)) await upload();
  const expectedIds: string[] = [];
  for (const event of structuredClone(events))
    expectedIds.push(...(await before.storeSent([event], { isMapped: true })));
  const expected = await look(before, expectedIds);

  await using after = await PassFolder.open();
  after.start();
  const uploads = uploadsOf(after).sort(() => random(3) - 1);
  const stored: Array<Promise<string[]>> = [];
  for (const event of structuredClone(events)) {
    // An upload while an event is digested, or between two.
    const digesting = after.storeSent([event], random(5) === 0 ? { isLate: true } : { isMapped: true });
    const upload = random(3) === 0 ? uploads.pop() : undefined;
    if (upload !== undefined) await upload();
    stored.push(digesting);
    await digesting;
  }
  for (const upload of uploads) await upload();
  const eventIds = (await Promise.all(stored)).flat();
  await expect.poll(() => look(after, eventIds)).toEqual(expected);
  await expect.poll(() => after.folder.stores.state.reprocessing.listUnfinishedMerges(10)).toEqual([]);
});
