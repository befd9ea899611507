import type { WantedMapType } from "../../domain/symbolication.ts";
import type { MissingSourceMap } from "../../stores/state/artifact-store.ts";
import type { Fix } from "../../symbolicate/explain-report.ts";
import { candidateUrls } from "../../symbolicate/frame-urls.ts";
import {
  describeRelease,
  type ExplainContext,
  injectCommand,
  prefixOf,
  uploadCommand,
  uploadMappingCommand,
  withDashes,
} from "../../symbolicate/upload-command.ts";

/** A source map or ProGuard mapping that events need, over all issues. Instants are milliseconds since 1970. */
export interface MissingMapGroup {
  type: WantedMapType;
  /** 32 lower-case hex characters. Null: events need it by release and dist. */
  debugId: string | null;
  /** The releases that the events name. For a debug id there may be several. */
  releases: Array<{ version: string | null; dist: string | null }>;
  issueIds: number[];
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  sampleUrl: string;
}

/** Groups rows of issues by what has to be uploaded. Groups with most events come first. */
export function groupMissingMaps(rows: readonly MissingSourceMap[]): MissingMapGroup[] {
  const groups = new Map<string, MissingMapGroup>();
  for (const { type, debugId, release, dist, issueId, eventCount, firstSeenAt, lastSeenAt, sampleUrl } of rows) {
    const key = debugId ?? JSON.stringify([release, dist]);
    const group = groups.get(key);
    if (group === undefined) {
      const releases = [{ version: release, dist }];
      const seenAt = { firstSeenAt, lastSeenAt };
      groups.set(key, { type, debugId, releases, issueIds: [issueId], eventCount, ...seenAt, sampleUrl });
      continue;
    }
    if (!group.issueIds.includes(issueId)) group.issueIds.push(issueId);
    if (!group.releases.some((each) => each.version === release && each.dist === dist))
      group.releases.push({ version: release, dist });
    group.eventCount += eventCount;
    group.firstSeenAt = Math.min(group.firstSeenAt, firstSeenAt);
    group.lastSeenAt = Math.max(group.lastSeenAt, lastSeenAt);
  }
  return [...groups.values()].sort((a, b) => b.eventCount - a.eventCount || b.lastSeenAt - a.lastSeenAt);
}

/** Says in a sentence which source map or mapping is missing. */
export function describeMissingMap(
  { type, debugId, releases }: MissingMapGroup,
  { isUploaded, problem }: { isUploaded: boolean; problem: string | null },
): string {
  if (problem !== null) return `Was uploaded. ${problem}`;
  const { version, dist } = releases[0] ?? { version: null, dist: null };
  if (type === "proguard_mapping" && !isUploaded) return "This mapping of R8 or ProGuard was not uploaded.";
  const what =
    debugId === null ? `a source map of ${describeRelease(version, dist)}` : `debug id ${withDashes(debugId)}`;
  return isUploaded
    ? "Was uploaded: these events are mapped when they are looked at, and in the background."
    : `Nothing that was uploaded answers for ${what}.`;
}

/** The fixes. Empty if there is a usable upload. */
export function listMissingMapFixes(
  { type, debugId, releases, sampleUrl }: MissingMapGroup,
  { isUploaded, problem }: { isUploaded: boolean; problem: string | null },
  context: ExplainContext,
): Fix[] {
  if (type === "proguard_mapping" && debugId !== null)
    return isUploaded
      ? []
      : [{ text: "Upload the mapping.txt that the build wrote:", command: uploadMappingCommand(context, debugId) }];
  if (problem !== null)
    return [
      {
        text: "Build again, and upload the new files. What is uploaded with the same debug id takes the place of this:",
        command: uploadCommand(context),
      },
    ];
  if (isUploaded) return [];
  if (debugId !== null)
    return [
      {
        text: "Upload the files of the build that runs, as they were injected:",
        command: uploadCommand(context),
      },
    ];
  const { version, dist } = releases[0] ?? { version: null, dist: null };
  return [
    {
      text: "Use debug ids: they match files to maps without a release name or a path. Inject them, deploy the injected files, and upload the same files.",
      command: [injectCommand(), uploadCommand(context)].join("\n"),
    },
    {
      text: "Or upload for the release, with the prefix under which the files are served:",
      command: uploadCommand(context, { release: version, dist, urlPrefix: prefixOf(candidateUrls(sampleUrl)) }),
    },
  ];
}
