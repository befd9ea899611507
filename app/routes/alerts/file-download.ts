import { workspaceContext } from "../../context.ts";
import { exportWatchFile } from "../../features/watch-file/export-watch-file.server.ts";
import type { Route } from "./+types/file-download.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { file } = await exportWatchFile(context.get(workspaceContext), Date.now());
  return new Response(`${JSON.stringify(file, null, 2)}\n`, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": 'attachment; filename="culprit-watch.json"',
      "cache-control": "private, no-store",
    },
  });
}
