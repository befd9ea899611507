import { Badge } from "../../ui/badge.tsx";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ARRIVED_PERIODS, toArrivedPeriod } from "../arrived/arrived-range.ts";
import type { ReleaseHealthPage } from "./get-release-health.server.ts";
import { HealthFigureList, NoSessions } from "./health-figures.tsx";
import { formatShare, HEALTH_STATES } from "./health-words.ts";
import { toReleasePath } from "./release-paths.ts";
import { SpentPanel } from "./spent-panel.tsx";
import { toDeployMarks } from "./to-deploy-marks.ts";

/** How many sessions of the release had no problem, and why the others did. */
export function ReleaseHealthTab({ version, page }: { version: string; page: ReleaseHealthPage }) {
  const { period, environment, environments, sessions, health, buckets, bucketMs, deploys, hasSessions } = page;
  const { label } = toArrivedPeriod(period);
  const toPath = (change: { period?: string; environment?: string }) => {
    const params = new URLSearchParams({ period, ...(environment ? { environment } : {}), ...change });
    if (params.get("environment") === "") params.delete("environment");
    return `${toReleasePath(version, "health")}?${params}`;
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <ChoiceLinks
          label="Time"
          links={ARRIVED_PERIODS.map(({ value, label: name }) => ({
            to: toPath({ period: value }),
            label: name,
            isCurrent: value === period,
          }))}
        />
        {environments.length > 0 && (
          <ChoiceLinks
            label="Environment"
            links={["", ...environments.slice(0, 8)].map((name) => ({
              to: toPath({ environment: name }),
              label: name || "All environments",
              isCurrent: name === environment,
            }))}
          />
        )}
      </div>
      {sessions.total === 0 && sessions.crashed === 0 ? (
        <Panel title="Sessions">
          {hasSessions ? (
            <EmptyState title="No session of this release">
              Its projects sent sessions in {label}, but none of this release
              {environment && ` from ${environment}`}. Choose a longer time, or another environment.
            </EmptyState>
          ) : (
            <NoSessions />
          )}
        </Panel>
      ) : (
        <>
          <Panel
            title="Health"
            actions={
              <>
                {page.watchPath && (
                  <TextLink to={page.watchPath} className="text-sm">
                    Watch the target
                  </TextLink>
                )}
                <Badge tone={HEALTH_STATES[health.state].tone}>{HEALTH_STATES[health.state].label}</Badge>
              </>
            }
          >
            <HealthFigureList figures={page} goal={page.goal} adoption={page.adoption} />
          </Panel>
          <Panel title="Sessions" actions={<Legend />}>
            <BarGraph
              label={`Sessions in ${label}`}
              unit="sessions"
              series={[
                { label: "without an error", fillClassName: "fill-faint" },
                { label: "with an error", fillClassName: "fill-warning" },
                { label: "crashed", fillClassName: "fill-error" },
              ]}
              buckets={buckets.map(({ at, healthy, errored, crashed }) => ({
                at,
                values: [healthy, errored, crashed],
              }))}
              bucketMs={bucketMs}
              markers={toDeployMarks(deploys)}
              heightClassName="h-36"
            />
          </Panel>
          <SpentPanel issues={page.issues} of={`of the release in ${label}`} />
          {page.parts.length > 1 && <Parts parts={page.parts} />}
        </>
      )}
    </div>
  );
}

function Legend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap items-center gap-3 text-muted text-xs">
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-faint" /> without an error
      </span>
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-warning" /> with an error
      </span>
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-error" /> crashed
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-3 w-px bg-regressed" /> deploy
      </span>
    </p>
  );
}

function Parts({ parts }: { parts: ReleaseHealthPage["parts"] }) {
  return (
    <Panel title="By project and environment" isFlush>
      <Table label="By project and environment">
        <TableHead>
          <Th>Project</Th>
          <Th>Environment</Th>
          <Th isNumber>Crash-free sessions</Th>
          <Th isNumber>Crash-free users</Th>
          <Th isNumber>Sessions</Th>
        </TableHead>
        <tbody>
          {parts.map((part) => (
            <tr key={`${part.project.slug} ${part.environment}`}>
              <Td>
                <TextLink to={`/projects/${part.project.slug}`}>{part.project.name}</TextLink>
              </Td>
              <Td>{part.environment || <span className="text-faint">none</span>}</Td>
              <Td isNumber>{formatShare(part.health.crashFree)}</Td>
              <Td isNumber>{formatShare(part.crashFreeUsers)}</Td>
              <Td isNumber>{part.sessions.total.toLocaleString("en")}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
