import { redirect, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { AggregateCharts } from "../../features/explore/aggregate-charts.tsx";
import { AggregateTable } from "../../features/explore/aggregate-table.tsx";
import { AttributeList } from "../../features/explore/attribute-list.tsx";
import { DifferenceList } from "../../features/explore/difference-list.tsx";
import { DurationMap } from "../../features/explore/duration-map.tsx";
import { ExploreBar, SEARCH_REFUSAL_ID } from "../../features/explore/explore-bar.tsx";
import {
  BUCKET_MS,
  EXPLORE_PERIODS,
  readExploreOptions,
  toExplorePath,
} from "../../features/explore/explore-options.ts";
import { getExplorePage } from "../../features/explore/get-explore-page.server.ts";
import { SampleTable } from "../../features/explore/sample-table.tsx";
import { isSampled, sayWeight } from "../../features/explore/say-weight.ts";
import { SearchedBack } from "../../features/explore/searched-back.tsx";
import { SelectionStrip } from "../../features/explore/selection-strip.tsx";
import { TraceTable } from "../../features/explore/trace-table.tsx";
import { sayRange } from "../../features/filters/say-range.server.ts";
import { findRange } from "../../features/filters/time-ranges.ts";
import { OwnLeftOut } from "../../features/projects/own-left-out.tsx";
import { findPastedPlace, toPastedPath } from "../../features/search/find-pasted-place.server.ts";
import { SearchRefusal } from "../../features/search/search-refusal.tsx";
import { toPlainSigns } from "../../features/search/to-plain-signs.server.ts";
import { SavedViews } from "../../features/views/saved-views.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatCount } from "../../ui/count.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { useRowKeys } from "../../ui/use-row-keys.ts";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const options = readExploreOptions(url.searchParams);
  const place = await findPastedPlace(workspace, options.search, url);
  if (place) throw redirect(toPastedPath(place));
  const search = toPlainSigns(options.search, "spans");
  if (search !== options.search) throw redirect(toExplorePath(options, { search }));
  const [page, projects] = await Promise.all([
    getExplorePage(workspace, { options, now: Date.now() }),
    workspace.state.projects.listProjects(workspace.scope),
  ]);
  const said = sayRange(url.searchParams, EXPLORE_PERIODS, options.period.value);
  return { ...page, notes: [...said, ...page.notes], projects: projects.map(({ slug, name }) => ({ slug, name })) };
}

export default function TraceListPage({ loaderData: page }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const options = readExploreOptions(params);
  const { content, total, problems, series } = page;
  const results = useKeptFocus<HTMLDivElement>();
  useRowKeys(".explore-rows tbody tr");
  return (
    <>
      <PageHeader
        title="Traces"
        actions={
          <SavedViews
            list="traces"
            path={toExplorePath(options, { selection: null, before: null })}
            place={toExplorePath(options)}
          />
        }
      />
      <ExploreBar
        options={options}
        projects={page.projects}
        environments={page.environments}
        keys={page.keys}
        refusals={problems}
      />
      {problems.length > 0 ? (
        <SearchRefusal id={SEARCH_REFUSAL_ID} search={options.search} errors={problems} />
      ) : total.spans === 0 ? (
        <Card>
          <NothingFound page={page} options={options} />
        </Card>
      ) : (
        <div ref={results} tabIndex={-1} className="explore-results">
          <p className="text-muted text-sm" role="status">
            <SayTotal {...total} />
            {page.notes.map((note) => ` ${note}`)} <SearchedBack reach={page.reach} options={options} />{" "}
            <LeftOut slug={page.leftOut} options={options} />
          </p>
          <Card className="overflow-clip">
            <AggregateCharts series={series} figures={options.show} from={page.from} to={page.to} />
          </Card>
          <Card className="overflow-clip">
            <div className="explore-durations" data-compared={page.comparison !== null || undefined}>
              <DurationMap
                map={page.heatmap}
                times={{ from: page.from, to: page.to, bucketMs: BUCKET_MS[options.period.value] }}
                options={options}
              />
              {page.comparison && <DifferenceList comparison={page.comparison} options={options} />}
            </div>
          </Card>
          <Card className="overflow-clip">
            <TabLinks
              label="Views of the spans"
              tabs={VIEWS.map(({ view, label }) => ({
                to: toExplorePath(options, { view }),
                label,
                isCurrent: content.view === view,
              }))}
            />
            {options.selection && content.view !== "attributes" && (
              <SelectionStrip selection={options.selection} options={options} />
            )}
            <div className="explore-rows">
              {content.view === "samples" && <SampleTable spans={content.spans} options={options} />}
              {content.view === "traces" && <TraceTable traces={content.traces} />}
              {content.view === "aggregates" && <AggregateTable sums={content.sums} options={options} />}
              {content.view === "attributes" && <AttributeList attributes={content.attributes} options={options} />}
            </div>
          </Card>
          {"nextCursor" in content && (options.cursor !== null || content.nextCursor !== null) && (
            <Pagination
              label={content.view === "traces" ? "Pages of traces" : "Pages of spans"}
              previousTo={options.cursor === null ? null : toExplorePath(options)}
              nextTo={content.nextCursor && toExplorePath(options, { cursor: content.nextCursor })}
            />
          )}
        </div>
      )}
    </>
  );
}

const VIEWS = [
  { view: "samples", label: "Samples" },
  { view: "traces", label: "Traces" },
  { view: "aggregates", label: "Aggregates" },
  { view: "attributes", label: "Attributes" },
] as const;

function SayTotal(total: { spans: number; weight: number }) {
  const { spans } = total;
  if (!isSampled(total)) return `${formatCount(spans)} ${spans === 1 ? "span" : "spans"}.`;
  return `Spans: ${sayWeight({ ...total, isUnsure: isUnsure(total) })}. Each counts as often as its sampling rate says.`;
}

/** Says where to find the spans of the server itself, which are left out. */
function LeftOut({ slug, options }: { slug: string | null; options: ReturnType<typeof readExploreOptions> }) {
  return slug && <OwnLeftOut what="Spans" slug={slug} to={toExplorePath(options, { projectSlugs: [slug] })} />;
}

const LONGEST = findRange(EXPLORE_PERIODS, "30d", "30d");

function NothingFound({
  page,
  options,
}: {
  page: Route.ComponentProps["loaderData"];
  options: ReturnType<typeof readExploreOptions>;
}) {
  if (page.isUnknownProject) return <EmptyState title="No such project">Choose another one.</EmptyState>;
  const notes = page.notes.length > 0 && <p>{page.notes.join(" ")}</p>;
  if (page.hasAny)
    return (
      <EmptyState
        isOfEvents
        title={page.reach === null ? "No span matches" : "No span matches so far"}
        actions={
          <>
            {options.search !== "" && (
              <LinkButton to={toExplorePath(options, { search: "" })}>Clear the search</LinkButton>
            )}
            {options.period !== LONGEST && (
              <LinkButton to={toExplorePath(options, { period: LONGEST })}>Look at {LONGEST.label}</LinkButton>
            )}
          </>
        }
      >
        {notes}
        {(page.reach !== null || options.before !== null) && (
          <p>
            <SearchedBack reach={page.reach} options={options} />
          </p>
        )}
        <p>Take out a filter, or choose a longer time range.</p>
      </EmptyState>
    );
  return (
    <EmptyState isOfEvents title="No spans in this time">
      {notes}
      <p>
        Spans come with tracing. Set <code>tracesSampleRate</code> where the SDK is started, like{" "}
        <code>{'Sentry.init({ dsn: "…", tracesSampleRate: 0.1 })'}</code>. In Python it is{" "}
        <code>traces_sample_rate</code>.
      </p>
      <p>
        <LeftOut slug={page.leftOut} options={options} />
      </p>
    </EmptyState>
  );
}

export function meta() {
  return [{ title: "Traces · Culprit" }];
}

export const handle = { section: "traces" };
