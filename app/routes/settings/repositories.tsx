import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { IfMay } from "../../features/frame/use-may.tsx";
import { changeRepositories } from "../../features/repositories/change-repositories.server.ts";
import { listRepositories } from "../../features/repositories/list-repositories.server.ts";
import { RepositoryForm } from "../../features/repositories/repository-form.tsx";
import { RepositoryList } from "../../features/repositories/repository-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/repositories.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  return listRepositories(context.get(workspaceContext), url.searchParams.get("cursor"));
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await changeRepositories(context.get(workspaceContext), { form, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function RepositoriesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { repositories, offers, previousCursor, nextCursor } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const toPage = (cursor: string | null) => cursor && `?cursor=${encodeURIComponent(cursor)}`;
  return (
    <div className="grid max-w-[56rem] gap-4">
      <PageHeader title="Repositories" trail={[{ label: "Settings", to: "/settings" }]} />
      {actionData?.ok && <Notice tone="done" title={actionData.message} />}
      {refusal?.field === "list" && <Notice tone="error" title={refusal.message} />}
      <RepositoryList repositories={repositories} error={refusal} />
      <Pagination previousTo={toPage(previousCursor)} nextTo={toPage(nextCursor)} />
      {/* The repository that was added is in the list, so the form is empty again. */}
      <IfMay right="project:write">
        <RepositoryForm key={actionData?.ok ? actionData.message : ""} offers={offers} error={refusal} />
      </IfMay>
    </div>
  );
}

export function meta() {
  return [{ title: "Repositories · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
