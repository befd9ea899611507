import { data, Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import { submitWatchFile } from "../../features/watch-file/submit-watch-file.server.ts";
import { WatchChanges } from "../../features/watch-file/watch-changes.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/file.ts";

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await submitWatchFile(context.get(workspaceContext), { form, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function WatchFilePage({ actionData }: Route.ComponentProps) {
  useAnswerInSight();
  return (
    <div className="grid max-w-[64rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Export and import"
        trail={[{ label: "Alerts", to: "/alerts" }]}
        description="All alert rules and the monitors of metrics, crons and uptime of the projects that you see, as one JSON file. It names projects, people, teams and channels by their names, so that another server can read it."
      />
      <Panel title="Export">
        <div className="grid justify-items-start gap-2">
          <p className="text-sm">
            The file has the headers and bodies of uptime checks, which may be secrets. It has no history, and no
            channels: add those on the other server first, by the same names.
          </p>
          <a href="/alerts/file/download" download className="font-semibold text-sm underline underline-offset-4">
            Download culprit-watch.json
          </a>
        </div>
      </Panel>
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      {actionData?.ok && <WatchChanges result={actionData} />}
      <Panel
        title="Import"
        description="A preview shows what would change. Rules that are not in the file stay as they are."
      >
        <Form method="post" encType="multipart/form-data" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Field label="File">
            {(ids) => (
              <input
                {...ids}
                type="file"
                name="file"
                accept=".json,application/json"
                className="w-full text-sm file:mr-3 file:cursor-pointer file:rounded-md file:border file:border-line-strong file:bg-raised file:px-3 file:py-1.5 file:font-semibold file:text-ink"
              />
            )}
          </Field>
          <CodeLinesField
            label="Or its text"
            name="text"
            rows={6}
            placeholder={'{ "format": "culprit-watch", "version": 1, "rules": [] }'}
          />
          <div>
            <Button type="submit" name="intent" value="preview" variant="primary">
              Preview
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  );
}

export function meta() {
  return [{ title: "Export and import · Culprit" }];
}

export const handle = { section: "alerts" };
