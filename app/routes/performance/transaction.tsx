import { type ReactNode, Suspense } from "react";
import { Await, data, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { addFilter, readExploreOptions, toExplorePath } from "../../features/explore/explore-options.ts";
import { FilterChoice, FilterForm, RangeSelect } from "../../features/filters/filter-form.tsx";
import { sayRange } from "../../features/filters/say-range.server.ts";
import { DurationGraph } from "../../features/performance/duration-graph.tsx";
import { getTransactionPage } from "../../features/performance/get-transaction-page.server.ts";
import { LatencyGraph } from "../../features/performance/latency-graph.tsx";
import {
  PERFORMANCE_RANGES,
  parsePerformanceFilters,
  parseTransactionAddress,
  type TransactionAddress,
  toPerformancePath,
  toTransactionPath,
} from "../../features/performance/performance-filters.ts";
import { TransactionFiguresList } from "../../features/performance/transaction-figures-list.tsx";
import { ExampleTable, OpBreakdown, TransactionIssues } from "../../features/performance/transaction-parts.tsx";
import { toDeployMarks } from "../../features/releases/to-deploy-marks.ts";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/transaction.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const address = parseTransactionAddress(url.searchParams);
  const workspace = context.get(workspaceContext);
  const page = address && (await getTransactionPage(workspace, { address, now: Date.now() }));
  if (!page) throw data("No such project", { status: 404 });
  return { ...page, problems: sayRange(url.searchParams, PERFORMANCE_RANGES, address.range) };
}

export default function TransactionRoute({ loaderData: page }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const address = parseTransactionAddress(params);
  if (!address) return null;
  const { figures, buckets, time, deploys, ops } = page;
  const marks = toDeployMarks(deploys);
  const spansPath = toSpansPath(address);
  return (
    <>
      <PageHeader
        title={<bdi className="break-words font-mono">{address.name ?? "Other names"}</bdi>}
        trail={[
          {
            to: toPerformancePath(parsePerformanceFilters(new URLSearchParams({ range: address.range })), {
              environments: address.environments,
            }),
            label: "Performance",
          },
        ]}
        description={
          <>
            {page.project.name}
            {address.op !== "" && <span className="font-mono"> · {address.op}</span>}
            {address.name === null && " · all transactions whose names are beyond the 1,000 that a project may have"}
          </>
        }
        actions={spansPath && <TextLink to={spansPath}>All spans of it</TextLink>}
      />
      {page.problems.map((problem) => (
        <Notice key={problem} tone="warning" className="mb-2">
          {problem}
        </Notice>
      ))}
      <TransactionBar address={address} environments={page.environments} />
      {figures === null ? (
        <Card>
          <EmptyState
            title="It did not run in this time"
            actions={
              address.range !== "30d" && (
                <LinkButton to={toTransactionPath(address, { range: "30d" })}>Look at 30 days</LinkButton>
              )
            }
          >
            Choose a longer time range or other environments.
          </EmptyState>
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <TransactionFiguresList figures={figures} change={page.change} />
          <Panel title="Duration over time">
            <LatencyGraph buckets={buckets} time={time} deploys={marks} />
          </Panel>
          <div className="performance-columns">
            <div>
              <Panel title="How long they took">
                <DurationGraph durations={page.durations} figures={figures} />
              </Panel>
              <Panel title="Throughput and failures">
                <BarGraph
                  label="Transactions over time"
                  unit="transactions"
                  series={[
                    { label: "failed", fillClassName: "fill-error" },
                    { label: "did not fail", fillClassName: "fill-muted" },
                  ]}
                  buckets={buckets.map(({ at, figures: own, failedWeight }) => ({
                    at,
                    values: [Math.round(failedWeight), Math.round((own?.weight ?? 0) - failedWeight)],
                  }))}
                  bucketMs={time.bucketMs}
                  markers={marks}
                />
              </Panel>
              <Panel title="Slow examples" isFlush>
                <Later of={page.examples} what="Examples">
                  {({ slow }) => <Examples label="Slowest transactions" examples={slow} />}
                </Later>
              </Panel>
              <Panel title="Typical examples" isFlush>
                <Later of={page.examples} what="Examples">
                  {({ typical }) => <Examples label="Typical transactions" examples={typical} />}
                </Later>
              </Panel>
            </div>
            <div>
              <Panel title="Time by operation" description="Each time it runs. Spans within others count in both.">
                {ops.length > 0 ? (
                  <OpBreakdown ops={ops} />
                ) : (
                  <p className="text-muted text-sm">It came without spans within it.</p>
                )}
              </Panel>
              <Panel title="Issues" isFlush>
                <Later of={page.issues} what="Issues">
                  {(issues) =>
                    issues.length > 0 ? (
                      <TransactionIssues issues={issues} />
                    ) : (
                      <p className="p-4 text-muted text-sm">No unresolved issue happened in it in this time.</p>
                    )
                  }
                </Later>
              </Panel>
            </div>
          </div>
        </div>
      )}
    </>
  );
}

/** A part that comes after the figures, in the same answer. */
function Later<Resolve>({
  of,
  what,
  children,
}: {
  of: Resolve;
  what: string;
  children: (value: Awaited<Resolve>) => ReactNode;
}) {
  return (
    <Suspense
      fallback={
        <p className="p-4 text-muted text-sm" role="status">
          {what} are being read.
        </p>
      }
    >
      <Await
        resolve={of}
        errorElement={<p className="p-4 text-muted text-sm">{what} could not be read. Load the page again.</p>}
      >
        {children}
      </Await>
    </Suspense>
  );
}

function Examples({ label, examples }: { label: string; examples: Parameters<typeof ExampleTable>[0]["examples"] }) {
  if (examples.length > 0) return <ExampleTable label={label} examples={examples} />;
  return <p className="p-4 text-muted text-sm">None is stored any more.</p>;
}

/** The choice of environments and time. */
function TransactionBar({ address, environments }: { address: TransactionAddress; environments: readonly string[] }) {
  return (
    <FilterForm
      action="/performance/transaction"
      className="performance-filters"
      toPath={(fields) => toTransactionPath(parseTransactionAddress(fields) ?? address)}
    >
      <input type="hidden" name="project" value={address.project} />
      {address.name !== null && <input type="hidden" name="name" value={address.name} />}
      <input type="hidden" name="op" value={address.op} />
      <FilterChoice
        name="environment"
        label="Environments"
        noun="environments"
        none="All envs"
        chosen={address.environments}
        options={environments.map((name) => ({ value: name, label: name }))}
        toPath={(names) => toTransactionPath(address, { environments: names })}
      />
      <RangeSelect ranges={PERFORMANCE_RANGES} chosen={address.range} className="w-auto!" />
    </FilterForm>
  );
}

/** The list of the transaction's spans. Null: the names of these transactions are not known any more. */
function toSpansPath({ name, op, project, range, environments }: TransactionAddress): string | null {
  if (name === null) return null;
  const byOp = op === "" ? "is_segment:true" : addFilter("is_segment:true", "span.op", op);
  return toExplorePath(readExploreOptions(new URLSearchParams({ range })), {
    search: addFilter(byOp, "span.group", name),
    projectSlugs: [project],
    environments,
  });
}

export function meta({ location }: Route.MetaArgs) {
  const name = new URLSearchParams(location.search).get("name") ?? "Transaction";
  return [{ title: `${name} · Performance · Culprit` }];
}

export const handle = { section: "performance" };
