import type { Workspace } from "../../access/workspace.ts";
import { STORED_SIGNALS, type StoredSignal } from "../../domain/stored-signal.ts";
import { type ExpiryLine, listExpiries } from "./list-expiries.ts";
import { formatDay, toSignalWords } from "./signal-words.ts";

export interface StoragePage {
  /** The whole folder. Null: it is not measured yet, or the viewer does not see every project. */
  folder: {
    usedBytes: number;
    freeBytes: number;
    sizeBytes: number;
    limitBytes: number;
    limitedBy: "setting" | "disk";
    growthBytes: number;
    /** Milliseconds since 1970. */
    fullAt: number | null;
    isTooSmall: boolean;
    parts: Array<{ part: string; bytes: number }>;
  } | null;
  /** Empty if the viewer does not see every project, because it is unknown whose rows they were. */
  lost: Array<{ file: string; what: string; rows: number | null; isLogged: boolean }>;
  isMeasured: boolean;
  isWhole: boolean;
  /** Bytes are 0 if the viewer does not see every project. */
  next: ExpiryLine[];
  kinds: Array<{
    name: string;
    /** Null: these are files of earlier versions, in which each signal has a share. */
    retentionDays: number | null;
    rows: number;
    bytes: number;
    oldest: string | null;
  }>;
  projects: Array<{
    id: number;
    slug: string;
    name: string;
    rows: number;
    rowBytes: number;
    bytes: number;
    sourceMapBytes: number;
  }>;
}

/** What the data folder holds, by kind and by project, and what is deleted when. */
export async function getStoragePage(
  { storage, state, scope, settings }: Workspace,
  now: number,
): Promise<StoragePage> {
  const [projects, sums, uploads] = await Promise.all([
    state.projects.listProjects(scope),
    storage.sumByProject(),
    state.artifacts.sumUploads(scope),
  ]);
  const last = storage.last();
  const { isWhole } = storage;
  const kinds = STORED_SIGNALS.map((signal) => {
    const own = sums.filter((sum) => sum.signal === signal);
    const files = isWhole ? last?.signals.find((each) => each.signal === signal) : undefined;
    return {
      name: toSignalWords(signal),
      retentionDays: settings.retention.signalDays[signal],
      rows: add(own, ({ rows }) => rows),
      bytes: files?.bytes ?? (isWhole && last ? 0 : add(own, ({ bytes }) => bytes)),
      oldest: files ? formatDay(files.oldestDay, now) : null,
    };
  });
  const shared = isWhole ? last?.signals.find(({ signal }) => signal === null) : undefined;
  return {
    folder: last && isWhole ? toFolder(last) : null,
    lost: isWhole
      ? storage.lostDays().map(({ day, signal, name, rows, isLogged }) => ({
          ...{ file: name, what: `${toSignalWords(signal)} of ${formatDay(day, now)}`, rows, isLogged },
        }))
      : [],
    isMeasured: last !== null,
    isWhole,
    next: listExpiries(last ? [...last.plan.due, ...last.plan.upcoming] : [], now).map((line) =>
      isWhole ? line : { ...line, bytes: 0 },
    ),
    kinds: shared
      ? [
          ...kinds,
          {
            name: "All kinds, from earlier versions",
            retentionDays: null,
            rows: 0,
            bytes: shared.bytes,
            oldest: formatDay(shared.oldestDay, now),
          },
        ]
      : kinds,
    projects: projects
      .map(({ id, slug, name }) => {
        const own = sums.filter(({ projectId }) => projectId === id);
        const sourceMapBytes = uploads.find(({ projectId }) => projectId === id)?.bytes ?? 0;
        return {
          id,
          slug,
          name,
          rows: add(own, ({ rows }) => rows),
          bytes: add(own, ({ bytes }) => bytes),
          rowBytes: add(own, ({ rowBytes }) => rowBytes),
          sourceMapBytes,
        };
      })
      .sort((a, b) => toTotal(b) - toTotal(a) || a.id - b.id),
  };
}

function toFolder(last: NonNullable<ReturnType<Workspace["storage"]["last"]>>): StoragePage["folder"] {
  const { usedBytes, freeBytes, sizeBytes, parts, plan } = last;
  const { limitBytes, limitedBy, growthBytes, fullAt, isTooSmall } = plan;
  return { usedBytes, freeBytes, sizeBytes, parts, limitBytes, limitedBy, growthBytes, fullAt, isTooSmall };
}

function toTotal({ bytes, rowBytes, sourceMapBytes }: StoragePage["projects"][number]): number {
  return bytes + rowBytes + sourceMapBytes;
}

function add<Item extends { signal: StoredSignal }>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
