import { join } from "node:path";
import { commitBatch, type DigestStores } from "../../app/digest/commit-batch.ts";
import { type DigestedPart, digestRecord, joinParts } from "../../app/digest/digest-records.ts";
import { toMappedBatch } from "../../app/digest/mapped-batch.ts";
import type { LiveMessage } from "../../app/domain/live-message.ts";
import type { SourceMapPass } from "../../app/domain/source-map-pass.ts";
import { createReprocessingJob, type SourceMapPassParts } from "../../app/jobs/reprocessing/reprocessing.ts";
import { SourceMapPassMarker } from "../../app/jobs/reprocessing/source-map-pass-marker.ts";
import { startJobRunner } from "../../app/jobs/runner.ts";
import { systemClock } from "../../app/jobs/system-clock.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import type { Log } from "../../app/log.server.ts";
import { BUILT_IN_RULES } from "../../app/scrub/scrub-rules.ts";
import { regroupStoredEvent } from "../../app/server/map-stored-event.ts";
import type { ReadContext } from "../../app/signals/signal.ts";
import { openEventPayloads } from "../../app/stores/event-payloads.ts";
import { projects } from "../../app/stores/event-store-contract/fixture.ts";
import type { MissingSourceMap } from "../../app/stores/state/artifact-store.ts";
import { EVERYTHING } from "../../app/stores/state/contract/fixture.ts";
import { optionsOf } from "../../app/symbolicate/fixtures/map-stacks.ts";
import { UploadFixtures } from "../../app/symbolicate/fixtures/memory-stores.ts";
import { reportFailure } from "../../app/symbolicate/start-report.ts";
import { symbolicateEvent } from "../../app/symbolicate/symbolicate-event.ts";
import type { Symbolicator } from "../../app/symbolicate/symbolicator-client.ts";
import { listUnreadMaps, symbolicateWithoutUploads } from "../../app/symbolicate/wanted-maps.ts";
import { type DigestFolder, openDigestFolder } from "./digest-folder.ts";
import { makeTempFolder } from "./temp-folder.ts";
import { type Bundler, recordedBundle, recordedFrames } from "./upload-maps.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} } as unknown as Log;

export interface RunningPass {
  progress(): SourceMapPass;
  close(): Promise<void>;
}

interface StoreOptions {
  /** As by a digest that knows the uploads; absent: as of a project without any. */
  isMapped?: boolean;
  /** As by a digest whose symbolicator did not answer. */
  isLate?: boolean;
  hashes?: string[];
  /** The event store as the digest sees it. */
  events?: DigestStores["events"];
}

/** A folder with stored events, and uploads that the state store and a symbolicator know alike. */
export class PassFolder {
  readonly folder: DigestFolder;
  readonly uploads = new UploadFixtures();
  readonly messages: LiveMessage[] = [];
  readonly #temp = makeTempFolder();
  readonly marker = new SourceMapPassMarker(join(this.#temp.path, "mark.json"));
  readonly #passes: RunningPass[] = [];
  #sequence: number;
  /** Records that are said to wait for their digest. */
  backlog = 0;
  symbolicate: Symbolicator["symbolicate"] = async (event, { projectId }) =>
    await symbolicateEvent(event, { ...optionsOf(this.uploads), projectId });

  constructor(folder: DigestFolder, { sequence = 0 }: { sequence?: number } = {}) {
    this.folder = folder;
    this.#sequence = sequence;
  }

  static async open(): Promise<PassFolder> {
    return new PassFolder(await openDigestFolder());
  }

  /** Of the next record. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Digests and stores events of a recorded bundle; gives their ids. */
  async store(
    bundler: Bundler,
    count = 1,
    { value = "x", release = `shop@${bundler}`, ...options }: StoreOptions & { value?: string; release?: string } = {},
  ): Promise<string[]> {
    const exception = { type: "Error", value, stacktrace: { frames: recordedFrames(bundler) } };
    const event = { platform: "javascript", release, exception: { values: [exception] } };
    return await this.storeSent(
      Array.from({ length: count }, () => structuredClone(event)),
      options,
    );
  }

  /** The same of any events, in one batch. */
  async storeSent(sent: readonly object[], { isMapped, isLate, hashes, events }: StoreOptions = {}): Promise<string[]> {
    const { journal, stores, projectId } = this.folder;
    const parts: DigestedPart[] = [];
    const mapToSources: ReadContext["mapToSources"] = async (event) => {
      if (!isLate) return await this.symbolicate(event, { projectId });
      return { event, wanted: listUnreadMaps(reportFailure(event, "timed_out")), isLate };
    };
    const eventIds: string[] = [];
    const from = this.#sequence;
    for (const event of sent) {
      const eventId = this.#sequence.toString(16).padStart(32, "0");
      eventIds.push(eventId);
      const timestamp = Date.now() / 1000 - 60 + this.#sequence / 1000;
      const body = Buffer.from(`{}\n{"type":"event"}\n${JSON.stringify({ timestamp, ...event })}\n`);
      const entry = encodeJournalEntry({
        kind: "envelope",
        projectId,
        keyId: 1,
        receivedAt: Date.now(),
        eventId,
        clientAddress: null,
        userAgent: null,
        client: null,
        dropped: [],
        body,
      });
      const record = { sequence: this.#sequence++, bytes: Buffer.concat(entry) };
      // As of a project without uploads, unless told otherwise.
      parts.push(
        ...digestRecord(record, { mapToSources: isMapped || isLate ? mapToSources : symbolicateWithoutUploads }),
      );
    }
    const digested = await joinParts(parts);
    for (const { occurrence } of digested.items) if (occurrence && hashes) occurrence.hashes = hashes;
    await commitBatch({ ...stores, events: events ?? this.folder.events }, toMappedBatch(digested), {
      journalId: journal.id,
      upTo: this.#sequence,
      applied: { state: from, events: from },
    });
    return eventIds;
  }

  /** For a release, or by debug id alone. */
  async upload(bundler: Bundler, release = `shop@${bundler}`, debugId?: string): Promise<void> {
    const releases = debugId === undefined ? [{ version: release, dist: null }] : [];
    const bytes = recordedBundle(bundler, debugId === undefined ? {} : { debugId });
    const saved = await this.uploads.upload({ bytes, releases });
    const { id: _, fileCount: __, ...rest } = saved;
    const files = await this.uploads.artifacts.listArtifactFiles(saved.id);
    await this.folder.stores.state.artifacts.saveArtifactBundle(
      EVERYTHING,
      { ...rest, projectIds: [this.folder.projectId] },
      files.map(({ bundleId: ___, ...file }) => file),
    );
  }

  start(change: Partial<SourceMapPassParts> = {}): RunningPass {
    const { stores, events } = this.folder;
    const job = createReprocessingJob({
      state: stores.state,
      events,
      payloads: openEventPayloads(stores.payloads),
      regroup: (stored, options) =>
        regroupStoredEvent({ symbolicate: (...asked) => this.symbolicate(...asked) }, stored, {
          ...options,
          isMovedOver: false,
          scrubRules: BUILT_IN_RULES,
          rules: null,
        }),
      journals: [this.#journal()],
      backlog: () => ({ records: this.backlog }),
      feed: { publish: (message) => void this.messages.push(message) },
      marker: this.marker,
      log: quiet,
      now: Date.now,
      pollMs: 5,
      ...change,
    });
    const runner = startJobRunner({
      jobs: [job],
      store: stores.state.jobs,
      owner: String(this.#passes.length),
      isAlone: true,
      clock: systemClock,
      log: quiet,
      onRun: () => {},
    });
    const pass: RunningPass = {
      progress: () => job.progress(),
      close: () => runner.close({ withinMs: 20_000 }),
    };
    this.#passes.push(pass);
    return pass;
  }

  /** Every record that was begun was accepted. */
  #journal(): SourceMapPassParts["journals"][number] {
    const durable = () => ({ ...this.folder.journal.durable, sequence: this.#sequence });
    return {
      id: this.folder.journal.id,
      firstSequence: 0,
      get durable() {
        return durable();
      },
    };
  }

  async issues() {
    const query = { from: null, to: null, sort: "events", cursor: null, limit: 100 } as const;
    return (await this.folder.stores.state.issues.listIssues(EVERYTHING, { ...query })).issues;
  }

  async storedCount(issueId: number): Promise<number> {
    const filter = { projectIds: projects(this.folder.projectId), issueId, from: null, to: null };
    return (await this.folder.events.count(filter)).events;
  }

  wanted(): Promise<MissingSourceMap[]> {
    return this.folder.stores.state.artifactIndex.listMissingSourceMaps({ projectIds: [this.folder.projectId] });
  }

  async [Symbol.asyncDispose]() {
    for (const pass of this.#passes.splice(0)) await pass.close();
    await this.folder[Symbol.asyncDispose]();
    this.#temp[Symbol.dispose]();
  }
}
