import { Panel } from "../../ui/card.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { StoragePage } from "./get-storage-page.server.ts";
import { formatDay } from "./signal-words.ts";

const PART_WORDS: Record<string, { label: string; ground: string }> = {
  payloads: { label: "Payloads", ground: "bg-info" },
  events: { label: "Rows", ground: "bg-resolved" },
  days: { label: "Days of spans and logs", ground: "bg-fresh" },
  blobs: { label: "Source maps and files", ground: "bg-warning" },
  journal: { label: "Journal", ground: "bg-regressed" },
  state: { label: "Issues, people, counts", ground: "bg-archived" },
  snapshots: { label: "Snapshots", ground: "bg-debug" },
  damaged: { label: "Set aside", ground: "bg-error" },
  chunks: { label: "Unfinished uploads", ground: "bg-fatal" },
  other: { label: "Other", ground: "bg-muted" },
};

/** The size of the folder and of its parts, and when it would be full. */
export function FolderPanel({ folder, now }: { folder: NonNullable<StoragePage["folder"]>; now: number }) {
  const { usedBytes, limitBytes, limitedBy, growthBytes, fullAt, freeBytes, sizeBytes } = folder;
  const parts = folder.parts.filter(({ bytes }) => bytes > 0);
  return (
    <Panel title="Data folder" description="Measured every 20 seconds.">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {folder.isTooSmall && (
          <Notice tone="error" title="The folder is too small for what comes on one day">
            <p>
              Data of today is never deleted, so new events may be refused.{" "}
              {limitedBy === "setting" ? "Raise MAX_DISK_BYTES" : "Give the disk more room"}, or shorten{" "}
              SIGNAL_RETENTION_DAYS.
            </p>
          </Notice>
        )}
        <p className="text-sm">
          <strong className="tabular text-xl">{formatBytes(usedBytes)}</strong>{" "}
          <span className="text-muted">
            of {formatBytes(limitBytes)},{" "}
            {limitedBy === "setting" ? "the limit that MAX_DISK_BYTES sets" : "what the disk allows"}
          </span>
        </p>
        <div className="flex h-2.5 gap-px overflow-hidden rounded-sm bg-sunken" aria-hidden="true">
          {parts.map(({ part, bytes }) => (
            <span key={part} className={wordsOf(part).ground} style={{ flexGrow: bytes, flexBasis: 0, minWidth: 2 }} />
          ))}
          <span style={{ flexGrow: Math.max(0, limitBytes - usedBytes), flexBasis: 0 }} />
        </div>
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-x-6 gap-y-3">
          {parts.map(({ part, bytes }) => (
            <div key={part} className="grid content-start gap-0.5">
              <dt className="flex items-center gap-2 text-sm">
                <span aria-hidden="true" className={`size-2.5 rounded-sm ${wordsOf(part).ground}`} />
                {wordsOf(part).label}
              </dt>
              <dd className="tabular font-semibold">{formatBytes(bytes)}</dd>
            </div>
          ))}
        </dl>
        <KeyValueList
          isMono={false}
          pairs={[
            {
              key: "Growth",
              value:
                growthBytes === 0 ? "nothing came yet" : `${formatBytes(growthBytes)} a day, by the last seven days`,
            },
            { key: "Full", value: sayFull(fullAt, now) },
            { key: "Disk", value: `${formatBytes(freeBytes)} free of ${formatBytes(sizeBytes)}` },
          ]}
        />
      </div>
    </Panel>
  );
}

function wordsOf(part: string) {
  return PART_WORDS[part] ?? { label: part, ground: "bg-muted" };
}

function sayFull(fullAt: number | null, now: number): string {
  if (fullAt === null) return "never: what gets too old makes room for what comes";
  if (fullAt <= now) return "now: the oldest days are deleted to make room";
  return `on ${formatDay(Math.floor(fullAt / 86_400_000), now)}, if no day was deleted early`;
}
