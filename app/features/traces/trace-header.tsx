import type { ReactNode } from "react";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { CopyPageButton } from "../markdown/copy-page-button.tsx";
import type { TracePage } from "./get-trace-page.server.ts";
import { listGaps } from "./list-gaps.ts";
import { HIDDEN_PROJECTS } from "./say-hidden-projects.ts";

/** The title of the trace, how long it took, and what is missing from it. */
export function TraceHeader({ page }: { page: TracePage }) {
  const {
    traceId,
    root,
    startedUs,
    durationUs,
    spanCount,
    services,
    errors,
    logCount,
    areLogsCut,
    missing,
    seesEverything,
    rootCount,
    circleCount,
  } = page;
  const gaps = listGaps(page);
  const notes = [...gaps];
  if (rootCount > 1) notes.push(`It has ${rootCount} beginnings, which stand one after the other`);
  if (circleCount > 0)
    notes.push(
      circleCount === 1
        ? "Parents of its spans make a circle: one span stands at the top although it has a parent"
        : `Parents of its spans make circles: ${circleCount} spans stand at the top although they have parents`,
    );
  if (!seesEverything) notes.push(HIDDEN_PROJECTS);
  return (
    <div>
      <PageHeader
        trail={[{ label: "Traces", to: "/traces" }]}
        title={
          <span className="line-clamp-4 font-mono">
            {root ? (
              <>
                {root.op && <span className="font-normal text-muted">{root.op} </span>}
                <bdi>{root.name?.trim() || (root.op ? "" : "Trace")}</bdi>
              </>
            ) : (
              "Trace without spans"
            )}
          </span>
        }
      />
      <dl className="trace-facts">
        <div>
          <dt>trace</dt>
          <dd className="font-mono">
            {traceId.slice(0, 8)} <CopyButton text={traceId} label="Copy the trace id" isIcon />
            <CopyPageButton path={`/traces/${traceId}`} label="Copy the trace as Markdown" />
          </dd>
        </div>
        {root && <Fact term="took">{formatDuration(durationUs)}</Fact>}
        <Fact term="spans">{formatCount(spanCount)}</Fact>
        <Fact term="services">{formatCount(services.length)}</Fact>
        <Fact term="errors">
          {errors.length > 0 && <LevelMark level="error" className="mr-1" />}
          {errors.length}
        </Fact>
        <Fact term="logs">
          {formatCount(logCount)}
          {areLogsCut && " or more"}
        </Fact>
        {startedUs !== null && (
          <Fact term="began">
            <AbsoluteTime at={Math.floor(startedUs / 1_000)} />
          </Fact>
        )}
      </dl>
      {notes.length > 0 && (
        <div className="grid gap-1 pb-3 text-muted text-sm">
          <p className="flex flex-wrap items-center gap-2">
            {gaps.length > 0 && <Badge tone="warning">Not complete</Badge>}
            {notes.join(" · ")}
          </p>
          {missing.length > 0 && (
            <ul aria-label="Why spans may be missing" className="list-disc pl-5">
              {missing.map(({ words, href }) => (
                <li key={words}>
                  <bdi>{words}</bdi> {href && <TextLink to={href}>Ledger</TextLink>}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="tabular font-semibold">{children}</dd>
    </div>
  );
}
