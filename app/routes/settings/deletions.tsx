import { workspaceContext } from "../../context.ts";
import { DeletionList } from "../../features/deletions/deletion-list.tsx";
import { listDeletions } from "../../features/deletions/list-deletions.server.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/deletions.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { deletions: await listDeletions(context.get(workspaceContext)) };
}

export default function DeletionsPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Deletions" trail={[{ label: "Settings", to: "/settings" }]} />
      <p className="text-muted text-sm">
        What somebody deletes is gone from every page at once. A background job erases it from the payload files within
        a day. Backups keep it until you delete them.
      </p>
      <DeletionList deletions={loaderData.deletions} />
    </div>
  );
}

export function meta() {
  return [{ title: "Deletions · Culprit" }];
}

export const handle = { section: "settings" };
