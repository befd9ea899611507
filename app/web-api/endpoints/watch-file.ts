import { z } from "zod";
import { exportWatchFile } from "../../features/watch-file/export-watch-file.server.ts";
import { importWatchFile } from "../../features/watch-file/import-watch-file.server.ts";
import { MAX_WATCH_FILE_BYTES, watchFile } from "../../features/watch-file/watch-file.ts";
import { answer } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const PATH = "/organizations/{organization}/watch-file/";
const changes = z.array(
  z.object({
    kind: z.enum(["rules", "metrics", "crons", "uptime"]),
    index: z.number(),
    name: z.string(),
    project: z.string(),
    action: z.enum(["create", "change", "same", "refused"]),
    message: z.string().nullable(),
  }),
);

export const WATCH_FILE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: PATH,
    // Headers of uptime checks in the file may be secrets, so reading it needs the scope to write.
    scopes: ["project:write"],
    summary: "Alert rules and monitors as one file. `X-Left-Out` counts what cannot be named in it.",
    answers: { 200: { what: "The file", json: watchFile } },
    async handle({ workspace, now }) {
      const { file, leftOut } = await exportWatchFile(workspace, now);
      return answer(file, { headers: { "x-left-out": String(leftOut) } });
    },
  }),
  endpoint({
    method: "PUT",
    path: PATH,
    scopes: ["project:write"],
    summary: "Makes and changes what the file names; what is not in it stays. Entries that are refused change nothing.",
    query: z.object({ dryRun: z.enum(["0", "1"]).optional().describe("`1`: only say what would change") }),
    body: { json: watchFile, maxBytes: MAX_WATCH_FILE_BYTES },
    answers: { 200: { what: "What was done with each entry", json: changes } },
    async handle({ workspace, query, body, now }) {
      return answer(await importWatchFile(workspace, { file: body, isApplied: query.dryRun !== "1", now }));
    },
  }),
];
