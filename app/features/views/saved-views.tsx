import { Bookmark } from "lucide-react";
import { Link, useFetcher, useLocation, useRouteLoaderData } from "react-router";
import { MAX_VIEW_NAME, type SavedView, toViewPath, type ViewedList } from "../../domain/saved-view.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatCount } from "../../ui/count.tsx";
import { CheckboxField, Field, Input } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Popover } from "../../ui/popover.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { ViewResult } from "./change-views.server.ts";
import type { ViewCount } from "./count-views.server.ts";
import { useViewCounts } from "./use-view-counts.ts";

/**
 * The saved views of a list, and a form that saves another one. `path`: the address of the list as it is shown, without the position in it.
 * `place`: the address with the position, for links.
 */
export function SavedViews({ list, path, place = path }: { list: ViewedList; path: string; place?: string }) {
  const { views: all, organization } = useFrameData();
  const location = useLocation();
  // A refusal is shown on the list, whose filters stay. Each state of the filters has its own key, so that with other filters the next view
  // can be saved.
  const fetcher = useFetcher<ViewResult>({ key: `save a view at ${location.key}` });
  const views = all.filter((view) => view.list === list);
  const counts = useViewCounts(list, views.map(({ id }) => id).join());
  const current = views.find((view) => toViewPath(view) === path);
  const query = path.split(/\?(.*)/s)[1] ?? "";
  // Loaded at the press: it reads the filters of every list, and few people copy a command.
  const toCommand = async () => {
    const { toListCurl } = await import("./list-curl.ts");
    return toListCurl(list, query, { origin: window.location.origin, organization }) ?? "";
  };
  return (
    <>
      <div className="saved-views">
        {views.length > 0 && (
          <nav aria-label="Saved views">
            <ul>
              {views.map((view) => (
                <li key={view.id}>
                  <Link
                    to={toViewPath(view)}
                    className="saved-view"
                    aria-current={view === current ? "page" : undefined}
                    data-tip={view.isOwn ? undefined : `Shared by ${view.ownerName}`}
                  >
                    {view.isDefault && <span className="sr-only">Default: </span>}
                    <span className="saved-view-name">{view.name}</span>
                    <SayCount count={counts[view.id]} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <Popover
          label={current ? "Saved view" : "Save view"}
          trigger={
            <>
              <Bookmark aria-hidden="true" className="size-4" />
              {current ? "Views" : "Save view"}
            </>
          }
          align="end"
        >
          {current ? (
            <p className="max-w-64 text-sm">
              This is <b>{current.name}</b>. Change a filter to save another view.
            </p>
          ) : (
            <fetcher.Form method="post" action="/views" className="grid w-64 gap-3" key={location.key}>
              <input type="hidden" name="intent" value="save" />
              <input type="hidden" name="list" value={list} />
              <input type="hidden" name="query" value={query} />
              <Field label="Name">
                {(ids) => <Input {...ids} name="name" required maxLength={MAX_VIEW_NAME} autoComplete="off" />}
              </Field>
              <CheckboxField name="isShared" label="Shared" hint="Everybody who sees its projects may use it." />
              <CheckboxField name="isDefault" label="My default" hint="The navigation leads to it." />
              <Button type="submit" variant="primary">
                Save
              </Button>
            </fetcher.Form>
          )}
          <p className="pt-3 text-sm">
            <TextLink to="/views">All saved views</TextLink>
          </p>
          <div className="mt-3 flex flex-wrap gap-2 border-line border-t pt-3">
            <CopyButton label="Copy link" text={() => `${window.location.origin}${place}`} />
            {list !== "performance" && <CopyButton label="Copy as curl" text={toCommand} />}
          </div>
        </Popover>
      </div>
      {fetcher.state === "idle" && fetcher.data?.ok === false && (
        <Notice tone="error" title={fetcher.data.message} className="basis-full" />
      )}
    </>
  );
}

function SayCount({ count }: { count: ViewCount | undefined }) {
  if (!count) return null;
  return (
    <span className="saved-view-count">
      {formatCount(count.count)}
      {count.isAtLeast && "+"}
    </span>
  );
}

/** The data that the frame around the page has loaded. */
function useFrameData(): { views: readonly SavedView[]; organization: string } {
  const frame = useRouteLoaderData("routes/app-layout") as
    | { views?: readonly SavedView[]; organization?: string }
    | null
    | undefined;
  return { views: frame?.views ?? [], organization: frame?.organization ?? "default" };
}
