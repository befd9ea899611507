import { Link } from "react-router";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";
import { Badge } from "../../ui/badge.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { FixList } from "./fix-list.tsx";
import type { MissingMapItem, SourceMapsPage } from "./get-source-maps-page.server.ts";
import { describeMissingMap, listMissingMapFixes } from "./group-missing-maps.ts";
import { toSourceMapsPath } from "./source-map-paths.ts";
import { StepStateMark } from "./step-state.tsx";

/** The missing source maps of the project's events, those with most events first. */
export function MissingMapList({
  wanted: { items, count },
  explain,
}: {
  wanted: SourceMapsPage["wanted"];
  explain: ExplainContext;
}) {
  return (
    <Panel
      id="wanted"
      title="Waiting for source maps and mappings"
      description="Counted when an event arrives, for in-app frames only."
      isFlush={items.length > 0}
    >
      {items.length === 0 ? (
        <EmptyState title="Nothing waits">
          All events since the count began are mapped, or have code that needs no map.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <li key={`${item.debugId} ${JSON.stringify(item.releases)}`} className="grid gap-2 p-4">
              <Wanted item={item} explain={explain} />
            </li>
          ))}
        </ul>
      )}
      {items.length < count && (
        <p className="border-line border-t px-4 py-2 text-muted text-xs">
          The {items.length} of most events, of {count.toLocaleString("en")}.
        </p>
      )}
    </Panel>
  );
}

function Wanted({ item, explain }: { item: MissingMapItem; explain: ExplainContext }) {
  const {
    type,
    debugId,
    releases,
    issueIds,
    issues,
    eventCount,
    firstSeenAt,
    lastSeenAt,
    sampleUrl,
    isUploaded,
    problem,
  } = item;
  const [release] = releases;
  const further = issueIds.length - issues.length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="wrap-anywhere min-w-0 font-mono text-sm">
          {debugId === null ? release?.version : withDashes(debugId)}
        </h3>
        {debugId !== null && <CopyButton text={withDashes(debugId)} isIcon label="Copy debug id" />}
        {type === "proguard_mapping" && <Badge>ProGuard mapping</Badge>}
        {debugId === null && release?.dist != null && <Badge>dist {release.dist}</Badge>}
        <StepStateMark state={problem !== null ? "mismatch" : isUploaded ? "found" : "not_uploaded_yet"} />
      </div>
      <p className="text-muted text-sm">
        {eventCount.toLocaleString("en")} {eventCount === 1 ? "event" : "events"} since{" "}
        <RelativeTime at={firstSeenAt} />, the last <RelativeTime at={lastSeenAt} />, in{" "}
        {issues.map(({ shortId, title }, index) => (
          <span key={shortId}>
            {index > 0 && ", "}
            <Link
              to={`/issues/${shortId}`}
              title={title}
              prefetch="intent"
              className="whitespace-nowrap text-link font-mono"
            >
              {shortId}
            </Link>
          </span>
        ))}
        {further > 0 && ` and ${further} more ${further === 1 ? "issue" : "issues"}`}
        {debugId !== null && release?.version != null && (
          <>
            , of release <ReleaseLink project={explain.project} version={release.version} />
            {releases.length > 1 && ` and ${releases.length - 1} more`}
          </>
        )}
        .
      </p>
      {sampleUrl !== "" && (
        <p className="wrap-anywhere text-muted text-xs">
          For example {type === "proguard_mapping" && "class "}
          <code>{sampleUrl}</code>
        </p>
      )}
      <Disclosure summary={<span className="text-sm">{describeMissingMap(item, item)}</span>} className="min-w-0">
        <div className="pt-3">
          {isUploaded && problem === null ? (
            <p className="text-muted text-sm">
              You need not do anything. If it stays here, open one of the events to see why.
            </p>
          ) : (
            <FixList fixes={listMissingMapFixes(item, item, explain)} />
          )}
        </div>
      </Disclosure>
    </>
  );
}

function ReleaseLink({ project, version }: { project: string; version: string }) {
  return (
    <Link to={toSourceMapsPath(project, version)} className="wrap-anywhere text-link font-mono">
      {version}
    </Link>
  );
}
