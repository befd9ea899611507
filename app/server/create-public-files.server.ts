import { createHash } from "node:crypto";
import { MIB } from "../domain/bytes.ts";
import { createConcurrencyLimit } from "../domain/concurrency-limit.ts";
import { createOriginCheck } from "../ingest/allowed-origins.ts";
import {
  type FetchPublicFileOptions,
  fetchPublicFile,
  type PublicFileAnswer,
} from "../outbound/fetch-public-file.server.ts";
import type { DirectoryStore } from "../stores/state/directory-store.ts";
import type { FetchedPublicFile, PublicFiles } from "../symbolicate/public-files.ts";
import type { ReadFetched } from "../symbolicate/source-map-cache.ts";
import { createNameTurns } from "./create-name-turns.server.ts";

export interface PublicFilesOptions {
  projects: Pick<DirectoryStore, "getProject">;
  fetchFile?: (url: string, options: FetchPublicFileOptions) => Promise<PublicFileAnswer>;
  now?: () => number;
}

/** A deploy may change a file under its name, and mostly does not. */
const KEPT_MS = 10 * 60_000;
/** How long a failed fetch is remembered. Short enough for a person who has just put the missing file there. */
const KEPT_FAILURE_MS = 2 * 60_000;
const MAX_KEPT = 2_000;
const MAX_KEPT_BYTES = 64 * MIB;
/** Requests to the servers of others at a time. */
const MAX_CONCURRENT = 4;
/** Events name as many files as their senders like. */
const MAX_WAITING = 100;

const BUSY: FetchedPublicFile = {
  kind: "failed",
  reason: "too many other files are being fetched; the next look may have it",
};

interface Kept {
  answer: Promise<FetchedPublicFile>;
  /** Milliseconds since 1970; infinite while it is on its way. */
  expiresAt: number;
  /** The fetched file. Null: none yet. */
  fetched: Extract<FetchedPublicFile, { kind: "fetched" }> | null;
}

/** Fetches files that applications serve to everyone, for projects that allow it. If a project has allowed origins, only from those. */
export function createPublicFiles({
  projects,
  fetchFile = fetchPublicFile,
  now = Date.now,
}: PublicFilesOptions): PublicFiles & { readFetched: ReadFetched } {
  /** Oldest first. */
  const kept = new Map<string, Kept>();
  let keptBytes = 0;
  const limit = createConcurrencyLimit({ atOnce: MAX_CONCURRENT, maxWaiting: MAX_WAITING });
  const resolve = createNameTurns();

  function forget(key: string): void {
    keptBytes -= kept.get(key)?.fetched?.bytes.length ?? 0;
    kept.delete(key);
  }

  async function load(url: string, refuse: FetchPublicFileOptions["refuse"]): Promise<FetchedPublicFile> {
    const leave = await limit.enter();
    if (leave === null) return BUSY;
    try {
      const answer = await fetchFile(url, { refuse, resolve });
      if (answer.kind !== "fetched") return answer;
      const version = `url:${createHash("sha256").update(answer.bytes).digest("hex")}`;
      return { ...answer, version, fetchedAt: now() };
    } finally {
      leave();
    }
  }

  return {
    async isEnabled(projectId) {
      return (await projects.getProject(projectId))?.fetchesSourceMaps ?? false;
    },
    async fetch(projectId, url) {
      const project = await projects.getProject(projectId);
      if (!project?.fetchesSourceMaps) return { kind: "refused", reason: "the project does not allow it" };
      const { allowedOrigins } = project;
      const key = JSON.stringify([projectId, allowedOrigins, url]);
      const known = kept.get(key);
      if (known && known.expiresAt > now()) return known.answer;
      if (known) forget(key);
      const isAllowed = createOriginCheck(allowedOrigins);
      const answer = load(url, ({ origin }) =>
        isAllowed(origin, undefined) ? null : `${origin} is not an allowed origin of the project`,
      );
      const entry: Kept = { answer, expiresAt: Number.POSITIVE_INFINITY, fetched: null };
      kept.set(key, entry);
      const settled = await answer;
      if (settled === BUSY) {
        forget(key);
        return settled;
      }
      entry.expiresAt = now() + (settled.kind === "fetched" ? KEPT_MS : KEPT_FAILURE_MS);
      if (settled.kind === "fetched") {
        entry.fetched = settled;
        keptBytes += settled.bytes.length;
      }
      for (const [oldest, { expiresAt }] of kept) {
        if (kept.size <= MAX_KEPT && keptBytes <= MAX_KEPT_BYTES) break;
        if (oldest !== key && expiresAt !== Number.POSITIVE_INFINITY) forget(oldest);
      }
      return settled;
    },
    readFetched({ checksum }) {
      for (const { fetched } of kept.values()) if (fetched?.version === checksum) return fetched.bytes;
      return null;
    },
  };
}
