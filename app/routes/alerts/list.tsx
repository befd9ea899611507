import { Fragment } from "react";
import { data, Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import { AlertRow, RestoreAlert } from "../../features/alerts/alert-row.tsx";
import { changeAlerts } from "../../features/alerts/change-alerts.server.ts";
import { listAlerts } from "../../features/alerts/list-alerts.server.ts";
import { listNoise } from "../../features/alerts/list-noise.server.ts";
import { NoMail } from "../../features/alerts/no-mail.tsx";
import { NoisePanel } from "../../features/alerts/noise-panel.tsx";
import { useMay } from "../../features/frame/use-may.tsx";
import { readPageNumber } from "../../features/input/list-page.ts";
import { TemplateLinks } from "../../features/monitors/template-links.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberedPages } from "../../ui/numbered-pages.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const search = (url.searchParams.get("q") ?? "").slice(0, 200);
  const page = readPageNumber(url.searchParams);
  const workspace = context.get(workspaceContext);
  const now = Date.now();
  const [list, noise] = await Promise.all([listAlerts(workspace, { search, page, now }), listNoise(workspace, now)]);
  return { ...list, noise, search };
}

export async function action({ context, request }: Route.ActionArgs) {
  const result = await changeAlerts(context.get(workspaceContext), { form: await request.formData(), now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function AlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { rules, page, count, uncovered, isMailSetUp, noise, search } = loaderData;
  const mayAdd = useMay("project:write");
  const add = (
    <>
      <LinkButton to="/alerts/silences">Silences</LinkButton>
      {mayAdd && (
        <>
          <LinkButton to="/alerts/file">Export and import</LinkButton>
          <LinkButton to="/alerts/new" variant="primary">
            New alert rule
          </LinkButton>
        </>
      )}
    </>
  );
  return (
    <div className="grid max-w-[72rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Alerts"
        description="Rules that say when somebody is told of an issue, and who."
        actions={add}
      />
      {actionData?.ok && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.deleted && <RestoreAlert fields={actionData.deleted} />}
        />
      )}
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      {count > 0 || search !== "" ? (
        <Form role="search" className="flex">
          <SearchInput label="Search alert rules" placeholder="Name, trigger, condition or receiver" text={search} />
        </Form>
      ) : null}
      {!isMailSetUp && <NoMail />}
      {uncovered.length > 0 && (
        <Notice tone="warning" title="No alert rule covers these projects: nobody is told of their issues.">
          <p className="wrap-anywhere">
            {uncovered.map((slug, index) => (
              <Fragment key={slug}>
                {index > 0 && ", "}
                <TextLink to={mayAdd ? `/alerts/new?project=${encodeURIComponent(slug)}` : `/projects/${slug}`}>
                  {slug}
                </TextLink>
              </Fragment>
            ))}
          </p>
        </Notice>
      )}
      {rules.length === 0 && search === "" && mayAdd && <TemplateLinks kinds="both" project="" />}
      <Card>
        {rules.length === 0 ? (
          search === "" ? (
            <EmptyState title="No alert rules yet">
              A rule tells people and channels when an issue is new, comes back, or reaches a number of events or users.
            </EmptyState>
          ) : (
            <EmptyState title="No rule matches">
              {count === 1 ? "The only rule does not have" : `None of the ${count} rules has`} these words.
            </EmptyState>
          )
        ) : (
          <ul>
            {rules.map((rule) => (
              <AlertRow key={rule.id} rule={rule} />
            ))}
          </ul>
        )}
      </Card>
      <NumberedPages {...page} />
      {noise !== null && <NoisePanel noise={noise} />}
    </div>
  );
}

export function meta() {
  return [{ title: "Alerts · Culprit" }];
}

export const handle = { section: "alerts" };
