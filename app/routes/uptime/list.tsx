import { Plus } from "lucide-react";
import { workspaceContext } from "../../context.ts";
import { readPageNumber } from "../../features/input/list-page.ts";
import { MonitorFilter } from "../../features/monitors/monitor-filter.tsx";
import { MonitorTabs } from "../../features/monitors/monitor-tabs.tsx";
import { getUptimeList } from "../../features/uptime/get-uptime-pages.server.ts";
import { UptimeList } from "../../features/uptime/uptime-list.tsx";
import "../../features/uptime/uptime.css";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NumberedPages } from "../../ui/numbered-pages.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const text = (url.searchParams.get("q") ?? "").trim().slice(0, 200);
  const projectSlug = url.searchParams.get("project") ?? "";
  const number = readPageNumber(url.searchParams);
  const page = await getUptimeList(context.get(workspaceContext), { text, projectSlug, page: number, now: Date.now() });
  return { page, text, projectSlug };
}

export default function UptimePage({ loaderData }: Route.ComponentProps) {
  const { page, text, projectSlug } = loaderData;
  const isFiltered = text !== "" || projectSlug !== "";
  const only = page.projects.length === 1 ? page.projects[0]?.slug : projectSlug;
  const statusPage = page.mayChange && only && (
    <LinkButton to={`/projects/${only}/status-page`}>Status page</LinkButton>
  );
  const add = page.mayChange && (
    <LinkButton
      to={projectSlug ? `/uptime/new?project=${projectSlug}` : "/uptime/new"}
      variant="primary"
      icon={<Plus aria-hidden="true" />}
    >
      Check an address
    </LinkButton>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <PageHeader
          title="Uptime"
          description="An address that fails twice in a row opens an issue."
          actions={
            <>
              {statusPage}
              {add}
            </>
          }
        />
        <MonitorTabs current="/uptime" />
      </div>
      {(page.items.length > 0 || isFiltered) && (
        <MonitorFilter
          action="/uptime"
          label="Search by name or address"
          placeholder="Name or address"
          text={text}
          chosen={projectSlug}
          projects={page.projects}
        />
      )}
      {page.items.length > 0 ? (
        <>
          <UptimeList items={page.items} downtimes={page.downtimes} until={page.until} />
          <NumberedPages {...page.pages} />
        </>
      ) : (
        <Card>
          {isFiltered ? (
            <EmptyState title="No address matches">Another word may find it, or all projects.</EmptyState>
          ) : (
            <EmptyState title="No address is checked" actions={add}>
              Name a URL or a host and port: Culprit asks it as often as you like, from this machine, looks at status,
              headers, body, time and certificate, and tells you when it is down.
            </EmptyState>
          )}
        </Card>
      )}
    </div>
  );
}

export function meta() {
  return [{ title: "Uptime · Culprit" }];
}

export const handle = { section: "uptime" };
