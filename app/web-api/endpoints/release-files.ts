import { z } from "zod";
import { answer, answerPage, nothing } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { list, PAGING } from "../query.ts";
import { addReleaseFile } from "../uploads/add-release-file.server.ts";
import { downloadReleaseFile } from "../uploads/download-release-file.server.ts";
import {
  deleteReleaseFile,
  listReleaseFiles,
  releaseFileAnswer,
  requireReleaseFile,
  serializeReleaseFile,
} from "../uploads/release-files.server.ts";

const SCOPES: Endpoint["scopes"] = ["project:releases"];

/** The same endpoints for a release of the organization and for one of a project. */
function fileEndpoints(base: "/organizations/{organization}" | "/projects/{organization}/{project}"): Endpoint[] {
  const files = `${base}/releases/{release}/files/` as const;
  const file = `${files}{file}/` as const;
  return [
    endpoint({
      method: "GET",
      path: files,
      scopes: SCOPES,
      summary: "Files that were uploaded one by one for a release, and those in its artifact bundles.",
      query: z.object({ query: list.describe("Part of the name, repeatable"), cursor: PAGING.cursor }),
      answers: { 200: { what: "Files", json: z.array(releaseFileAnswer) } },
      async handle({ workspace, release, project, query, url }) {
        const parts = query.query.filter((part) => part !== "");
        const page = await listReleaseFiles(workspace, { release, project }, { parts, cursor: query.cursor ?? null });
        return answerPage(url, page.files, { previousCursor: null, nextCursor: page.nextCursor });
      },
    }),
    endpoint({
      method: "POST",
      path: files,
      scopes: SCOPES,
      summary: "Uploads one file of a release, as older tools do. 409 when the name is taken.",
      body: {
        multipart: {
          file: "The file",
          name: "Its URL, like ~/assets/app.js; the file's own name without it",
          dist: "Distribution",
          header: "`name:value`, repeatable: `sourcemap` and `debug-id` are used",
        },
      },
      answers: { 201: { what: "The file", json: releaseFileAnswer } },
      async handle({ caller, release, project, request, enterAgain, now }) {
        const uploadedBy = caller.tokenName;
        const added = await addReleaseFile({ release, project, request, enterAgain, uploadedBy, at: now });
        return answer(serializeReleaseFile(added), { status: 201 });
      },
    }),
    endpoint({
      method: "GET",
      path: file,
      scopes: SCOPES,
      summary: "The facts of one file, or the file itself.",
      query: z.object({ download: z.string().optional().describe("`1`: the file itself, as it was uploaded") }),
      answers: { 200: { what: "The file", json: releaseFileAnswer, isFile: true } },
      async handle({ workspace, release, project, params, query, request }) {
        const found = await requireReleaseFile(workspace, release, { project, id: params.file });
        return query.download === undefined
          ? answer(serializeReleaseFile(found))
          : downloadReleaseFile(workspace, found, request);
      },
    }),
    endpoint({
      method: "DELETE",
      path: file,
      scopes: SCOPES,
      summary: "Deletes a file that was uploaded by itself. 400 for one in an artifact bundle.",
      answers: { 204: { what: "Deleted", json: null } },
      async handle({ workspace, release, project, params }) {
        await deleteReleaseFile(
          workspace,
          await requireReleaseFile(workspace, release, { project, id: params.file }),
          project,
        );
        return nothing();
      },
    }),
  ];
}

export const RELEASE_FILE_ENDPOINTS: readonly Endpoint[] = [
  ...fileEndpoints("/organizations/{organization}"),
  ...fileEndpoints("/projects/{organization}/{project}"),
];
