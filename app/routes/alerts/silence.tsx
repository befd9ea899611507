import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { OutcomeList } from "../../features/alerts/outcome-list.tsx";
import { toId } from "../../features/input/to-id.ts";
import { changeSilences } from "../../features/silences/change-silences.server.ts";
import { getSilencePage, resolveAppeared } from "../../features/silences/get-silence-page.server.ts";
import { SilenceResultNotice } from "../../features/silences/silence-result-notice.tsx";
import { SilenceRow, sayItem } from "../../features/silences/silence-row.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/silence.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const page = await getSilencePage(context.get(workspaceContext), toId(params.silence), Date.now());
  if (page === null) throw data("There is no such silence.", { status: 404 });
  return page;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const now = Date.now();
  const isOfIssues = /resolve$/.test(String(form.get("intent")));
  const result = await (isOfIssues
    ? resolveAppeared(workspace, { silenceId: toId(params.silence), form, now })
    : changeSilences(workspace, { form, now }));
  return result.ok ? result : data(result, { status: result.status });
}

export default function SilencePage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const { silence, held, appeared, mayResolve } = loaderData;
  return (
    <div className="grid max-w-[72rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={sayItem(silence)}
        trail={[
          { label: "Alerts", to: "/alerts" },
          { label: "Silences", to: "/alerts/silences" },
        ]}
      />
      <SilenceResultNotice result={actionData ?? null} />
      <Card>
        <ul>
          <SilenceRow silence={silence} />
        </ul>
      </Card>
      <Panel
        title="Issues that appeared only in this time"
        description="Their first and their latest event lie within the silence."
        actions={
          mayResolve &&
          appeared.length > 0 && (
            <ButtonForm size="sm" name="intent" value="resolve">
              Resolve {appeared.length === 1 ? "it" : `all ${appeared.length}`}
            </ButtonForm>
          )
        }
        isFlush
      >
        {appeared.length === 0 ? (
          <EmptyState title="None">Nothing unresolved appeared only while it was silent.</EmptyState>
        ) : (
          <ul aria-label="Issues that appeared only in this time" className="divide-y divide-line">
            {appeared.map(({ id, shortId, title, eventCount }) => (
              <li key={id} className="flex flex-wrap gap-x-3 px-4 py-2 text-sm">
                <TextLink to={`/issues/${id}`} className="font-mono">
                  {shortId}
                </TextLink>
                <span className="wrap-anywhere min-w-0 flex-1">{title}</span>
                <span className="text-muted">
                  {eventCount.toLocaleString("en")} {eventCount === 1 ? "event" : "events"}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="What it held back" isFlush>
        {held.length === 0 ? (
          <EmptyState title="Nothing">No rule would have told anything in this time.</EmptyState>
        ) : (
          <OutcomeList items={held} label="What it held back" hasRules />
        )}
      </Panel>
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData ? sayItem(loaderData.silence) : "Silence"} · Culprit` }];
}

export const handle = { section: "alerts" };
