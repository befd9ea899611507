import { data, Form, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { type SavedView, VIEWED_LISTS } from "../../domain/saved-view.ts";
import { changeViews } from "../../features/views/change-views.server.ts";
import { listViews } from "../../features/views/list-views.server.ts";
import { ViewRow } from "../../features/views/view-row.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { views: await listViews(context.get(workspaceContext)) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const result = await changeViews(context.get(workspaceContext), await request.formData());
  if (!result.ok) return data(result, { status: result.status });
  return result.path === undefined ? result : redirect(result.path);
}

const TITLES = { issues: "Issues", traces: "Traces", logs: "Logs", performance: "Performance" };

export default function ViewsPage({ loaderData: { views }, actionData }: Route.ComponentProps) {
  // A deleted view takes its button with it. Then the next Tab leads to Undo.
  const page = useKeptFocus<HTMLDivElement>();
  return (
    <div ref={page} tabIndex={-1} className="grid max-w-[60rem] gap-4 focus:outline-none">
      <PageHeader
        title="Saved views"
        description="Searches with their filters, by name. Those that are shared are for everybody who sees their projects."
      />
      {actionData?.ok && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.deleted && <Undo view={actionData.deleted} />}
        />
      )}
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      {views.length === 0 && (
        <Card>
          <EmptyState
            title="No saved views"
            actions={VIEWED_LISTS.map((list) => (
              <LinkButton key={list} to={`/${list}`}>
                {TITLES[list]}
              </LinkButton>
            ))}
          >
            Choose filters in a list, and press “Save view” beside its title.
          </EmptyState>
        </Card>
      )}
      {VIEWED_LISTS.map((list) => {
        const ofList = views.filter((view) => view.list === list);
        const own = ofList.filter(({ isOwn }) => isOwn);
        if (ofList.length === 0) return null;
        return (
          <section key={list} aria-labelledby={`views-${list}`}>
            <h2 id={`views-${list}`} className="pb-2 text-md">
              {TITLES[list]}
            </h2>
            <Card>
              <ul>
                {ofList.map((view) => (
                  <ViewRow key={view.id} view={view} isFirst={view === own[0]} isLast={view === own.at(-1)} />
                ))}
              </ul>
            </Card>
          </section>
        );
      })}
    </div>
  );
}

/** Restores a deleted view. */
function Undo({ view }: { view: SavedView }) {
  return (
    <Form method="post">
      <input type="hidden" name="list" value={view.list} />
      <input type="hidden" name="name" value={view.name} />
      <input type="hidden" name="query" value={view.query} />
      <input type="hidden" name="place" value={view.place} />
      <input type="hidden" name="deleted" value={view.id} />
      {view.isShared && <input type="hidden" name="isShared" value="on" />}
      {view.isDefault && <input type="hidden" name="isDefault" value="on" />}
      <Button type="submit" name="intent" value="restore" size="sm" data-shortcut="u">
        Undo
      </Button>
    </Form>
  );
}

export function meta() {
  return [{ title: "Saved views · Culprit" }];
}
