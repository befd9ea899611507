import type { ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { Notice } from "../../ui/notice.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AttachmentList, type ListedFiles } from "../events/attachment-list.tsx";
import { FilterForm } from "../filters/filter-form.tsx";
import { CopyPageButton } from "../markdown/copy-page-button.tsx";
import { FunctionTable } from "./function-table.tsx";
import { ProfileFlame } from "./profile-flame.tsx";
import { toProfilePath } from "./profile-options.ts";
import { toProfileTitle } from "./profile-title.ts";
import type { DrawnProfile, ProfileView } from "./profile-view.ts";
import { printZoom, readZoom } from "./profile-zoom.ts";

/** Shows where the time of a transaction or a profiler went. */
export function ProfilePage({ profile, files }: { profile: ProfileView; files: ListedFiles }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  // A change of the zoom does not load the page again, so the zoom comes from the address.
  const options = { ...profile.options, zoom: search.get("zoom") };
  const view = { ...profile, options };
  const { drawn, problems } = view;
  const path = toProfilePath(view.id, { ...options, filesPage: 1 });
  const zoomTo = (zoom: string | null) =>
    void navigate(toProfilePath(view.id, { ...options, zoom }), { replace: true, preventScrollReset: true });
  return (
    <>
      <PageHeader
        title={<bdi className="wrap-anywhere">{toProfileTitle(view)}</bdi>}
        description={
          view.form === "transaction"
            ? "Where the time of a transaction went, as its profile says."
            : "Where the time went, as the pieces of this profiler say."
        }
        actions={
          <>
            <CopyPageButton
              path={`/events/${view.id}`}
              search={new URL(toProfilePath(view.id, options), "http://culprit.invalid").search}
              label="Copy profile as Markdown"
            />
            {view.tracePath === null ? (
              view.spansPath && <LinkButton to={view.spansPath}>Its spans</LinkButton>
            ) : (
              <LinkButton to={view.tracePath}>Its trace</LinkButton>
            )}
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Card className="overflow-clip">
          <dl className="profile-facts">
            {drawn && <DrawnFacts drawn={drawn} />}
            {view.project && (
              <Fact term="Project">
                <TextLink to={`/projects/${view.project}`}>{view.project}</TextLink>
              </Fact>
            )}
            {view.platform && <Fact term="Platform">{view.platform}</Fact>}
            {view.release && (
              <Fact term="Release">
                <TextLink to={`/releases/${encodeURIComponent(view.release)}`}>
                  <bdi>{view.release}</bdi>
                </TextLink>
              </Fact>
            )}
            {view.environment && <Fact term="Environment">{view.environment}</Fact>}
          </dl>
        </Card>
        {options.window !== null && (
          <p className="text-muted text-sm">
            Only from <AbsoluteTime at={options.window.fromUs / 1_000} /> to{" "}
            <AbsoluteTime at={options.window.toUs / 1_000} />.{" "}
            <Link to={toProfilePath(view.id, { ...options, window: null, zoom: null })} className="underline">
              All of it
            </Link>
          </p>
        )}
        {problems.length > 0 && (
          <Notice tone={drawn ? "info" : "warning"} title={drawn ? "Not all of it is here" : "It cannot be drawn"}>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        )}
        {drawn && (
          <>
            <Panel title="Flame graph" isFlush actions={<ThreadChoice view={view} drawn={drawn} />}>
              {drawn.calls.length > 0 ? (
                <ProfileFlame
                  key={`${drawn.thread.id} ${options.filesPage}`}
                  drawn={drawn}
                  zoomed={readZoom(drawn, options.zoom)}
                  onZoom={(to) => zoomTo(to === null ? null : printZoom(drawn, to))}
                />
              ) : (
                <EmptyState title="This thread did nothing">None of its samples has a stack.</EmptyState>
              )}
            </Panel>
            {drawn.listed.length > 0 && (
              <Panel title="Functions" isFlush description="A function that calls itself counts once in its total.">
                <FunctionTable view={view} drawn={drawn} />
              </Panel>
            )}
          </>
        )}
        <Panel id="attachments" title="Files" isFlush>
          <AttachmentList page={files} path={path} />
        </Panel>
      </div>
    </>
  );
}

function DrawnFacts({ drawn }: { drawn: DrawnProfile }) {
  return (
    <>
      <Fact term="Duration">{formatDuration(drawn.durationUs)}</Fact>
      <Fact term="Samples">{drawn.thread.samples.toLocaleString("en")}</Fact>
      {drawn.idleUs > 0 && <Fact term="Idle">{formatDuration(drawn.idleUs)}</Fact>}
      {drawn.startedAt !== null && (
        <Fact term="Began">
          <AbsoluteTime at={drawn.startedAt} />
        </Fact>
      )}
    </>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Chooses the thread that is drawn. */
function ThreadChoice({ view, drawn }: { view: ProfileView; drawn: DrawnProfile }) {
  const { threads, thread, threadCount } = drawn;
  if (threadCount < 2) return <span className="text-muted text-sm">{sayThread(thread)}</span>;
  const { window, order, filesPage } = view.options;
  return (
    <FilterForm
      action={`/events/${view.id}`}
      className="profile-threads"
      isScrollKept
      toPath={(fields) => toProfilePath(view.id, { ...view.options, thread: fields.get("thread"), zoom: null })}
    >
      {order !== "self" && <input type="hidden" name="order" value={order} />}
      {window !== null && <input type="hidden" name="from" value={window.fromUs / 1_000} />}
      {window !== null && <input type="hidden" name="to" value={window.toUs / 1_000} />}
      {filesPage > 1 && <input type="hidden" name="files" value={filesPage} />}
      <Select
        name="thread"
        aria-label="Thread"
        defaultValue={thread.id}
        controlSize="sm"
        className="w-auto! max-w-full"
      >
        {toOptions(threads, (each) => [each.id, sayThread(each)])}
        {threadCount > threads.length && (
          <option disabled>{(threadCount - threads.length).toLocaleString("en")} more with fewer samples</option>
        )}
      </Select>
    </FilterForm>
  );
}

function sayThread({ id, name, samples }: DrawnProfile["thread"]): string {
  const count = samples === 1 ? "1 sample" : `${samples.toLocaleString("en")} samples`;
  return `${name === null ? `thread ${id}` : name}, ${count}`;
}
