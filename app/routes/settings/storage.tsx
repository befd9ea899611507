import { workspaceContext } from "../../context.ts";
import { ExpiryPanel } from "../../features/storage/expiry-panel.tsx";
import { FolderPanel } from "../../features/storage/folder-panel.tsx";
import { getStoragePage } from "../../features/storage/get-storage-page.server.ts";
import { LostPanel } from "../../features/storage/lost-panel.tsx";
import { KindTable, ProjectTable } from "../../features/storage/storage-tables.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/storage.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const now = Date.now();
  return { now, ...(await getStoragePage(context.get(workspaceContext), now)) };
}

export default function StoragePage({ loaderData }: Route.ComponentProps) {
  const { now, folder, lost, isMeasured, isWhole, next, kinds, projects } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Storage" trail={[{ label: "Settings", to: "/settings" }]} />
      {lost.length > 0 && <LostPanel lost={lost} />}
      {folder && <FolderPanel folder={folder} now={now} />}
      <ExpiryPanel next={next} isMeasured={isMeasured} />
      <KindTable kinds={kinds} isWhole={isWhole} />
      <ProjectTable projects={projects} />
    </div>
  );
}

export function meta() {
  return [{ title: "Storage · Culprit" }];
}

export const handle = { section: "settings" };
