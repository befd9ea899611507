import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { useMay } from "../../features/frame/use-may.tsx";
import { changeSilences } from "../../features/silences/change-silences.server.ts";
import { getSilencesPage } from "../../features/silences/list-silences.server.ts";
import { SilenceForm } from "../../features/silences/silence-form.tsx";
import { SilenceResultNotice } from "../../features/silences/silence-result-notice.tsx";
import { SilenceRow } from "../../features/silences/silence-row.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/silences.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return await getSilencesPage(context.get(workspaceContext), Date.now());
}

export async function action({ context, request }: Route.ActionArgs) {
  const result = await changeSilences(context.get(workspaceContext), {
    form: await request.formData(),
    now: Date.now(),
  });
  return result.ok ? result : data(result, { status: result.status });
}

export default function SilencesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { silences } = loaderData;
  useAnswerInSight();
  const mayAdd = useMay("project:write", "project:releases");
  return (
    <div className="grid max-w-[72rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Silences"
        description="In these times, alert rules tell nothing. Culprit counts and lists what they hold back."
        trail={[{ label: "Alerts", to: "/alerts" }]}
      />
      <SilenceResultNotice result={actionData ?? null} />
      <Card>
        {silences.length === 0 ? (
          <EmptyState title="No silences">
            Silence a rule, a project or an environment during a deploy or maintenance. It ends by itself.
          </EmptyState>
        ) : (
          <ul aria-label="Silences">
            {silences.map((silence) => (
              <SilenceRow key={silence.id} silence={silence} />
            ))}
          </ul>
        )}
      </Card>
      {mayAdd && (
        <KeptFocus>
          <SilenceForm
            key={actionData?.ok ? actionData.silenceId : "form"}
            page={loaderData}
            refusal={actionData && !actionData.ok ? actionData : null}
          />
        </KeptFocus>
      )}
    </div>
  );
}

export function meta() {
  return [{ title: "Silences · Culprit" }];
}

export const handle = { section: "alerts" };
