import { Form, Link, useSearchParams } from "react-router";
import type { ArtifactBundle, ArtifactFile } from "../../domain/artifact.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { Pagination } from "../../ui/pagination.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import type { OpenedUpload } from "./get-source-maps-page.server.ts";
import { ReleaseLink } from "./wanted-list.tsx";

/** Uploads of the project, newest first, with what tells them apart; one of them may show its files. */
export function UploadList({
  uploads,
  opened,
  nextCursor,
  project,
  release,
}: {
  uploads: ArtifactBundle[];
  opened: OpenedUpload | null;
  nextCursor: string | null;
  project: string;
  /** Null: of all. */
  release: string | null;
}) {
  const [search] = useSearchParams();
  const isLater = search.has("cursor");
  return (
    <Panel id="uploads" title="Uploads" isFlush>
      {uploads.length === 0 ? (
        <EmptyState title={release === null ? "Nothing was uploaded yet" : "Nothing was uploaded for this release"}>
          {release === null
            ? "A build uploads source maps; below is what to add to yours."
            : "Uploads with debug ids need no release, and stand among those of the project."}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {uploads.map((upload) => (
            <li key={upload.id} id={`upload-${upload.id}`} className="grid scroll-mt-4 gap-2 p-4">
              <Upload
                upload={upload}
                files={opened?.id === upload.id ? opened.files : null}
                project={project}
                search={search}
              />
            </li>
          ))}
        </ul>
      )}
      {(nextCursor !== null || isLater) && (
        <div className="border-line border-t px-4">
          <Pagination
            label="Pages of uploads"
            previousTo={isLater ? `?${withParameter(search, { cursor: null, upload: null })}` : null}
            nextTo={nextCursor === null ? null : `?${withParameter(search, { cursor: nextCursor, upload: null })}`}
          />
        </div>
      )}
    </Panel>
  );
}

function Upload({
  upload: { id, container, fileCount, bytes, uploadedAt, uploadedBy, releases, projectIds, debugId, note },
  files,
  project,
  search,
}: {
  upload: ArtifactBundle;
  files: ArtifactFile[] | null;
  project: string;
  search: URLSearchParams;
}) {
  const filesTo = files === null ? String(id) : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-base">Upload {id}</h3>
        <Badge>{container === "zip" ? "Artifact bundle" : "Single file"}</Badge>
        <span className="text-muted text-sm">
          <AbsoluteTime at={uploadedAt} /> (<RelativeTime at={uploadedAt} />)
        </span>
      </div>
      <p className="text-sm">
        {releases.length === 0 ? (
          <span className="text-muted">For no release: found by debug ids.</span>
        ) : (
          <>
            <span className="text-muted">For </span>
            {releases.map(({ version, dist }, index) => (
              <span key={`${version} ${dist}`}>
                {index > 0 && ", "}
                <ReleaseLink project={project} version={version} />
                {dist !== null && <span className="text-muted"> dist {dist}</span>}
              </span>
            ))}
          </>
        )}
      </p>
      <p className="text-muted text-xs">
        {uploadedBy === null ? "By a person or the operator's token" : <>By the token “{uploadedBy}”</>}, {fileCount}{" "}
        {fileCount === 1 ? "file" : "files"}, {formatBytes(bytes)}
        {debugId !== null && <>, bundle {withDashes(debugId)}</>}
        {note !== null && note !== "" && <>, “{note}”</>}
      </p>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <Link
          to={`?${withParameter(search, { upload: filesTo })}#upload-${id}`}
          preventScrollReset
          aria-expanded={files !== null}
          className="inline-flex min-h-8 items-center text-sm"
        >
          <span className="text-link">{files === null ? "Show files" : "Hide files"}</span>
        </Link>
        <Disclosure summary={<span className="text-sm">Delete</span>}>
          <Form method="post" className="flex flex-wrap items-center gap-2 pt-3">
            <input type="hidden" name="upload" value={id} />
            <Button type="submit" name="intent" value="delete" variant="danger" size="sm">
              Delete upload {id}
            </Button>
            <p className="text-muted text-xs">
              Events that come later are not mapped by it any more. This cannot be undone.
              {projectIds.length > 1 && ` It is of ${projectIds.length} projects, and goes from all of them.`}
            </p>
          </Form>
        </Disclosure>
      </div>
      {files !== null && <Files files={files} fileCount={fileCount} id={id} />}
    </>
  );
}

const TYPE_WORDS: Record<ArtifactFile["type"], string> = {
  source: "Source",
  minified_source: "Script",
  source_map: "Source map",
  indexed_ram_bundle: "RAM bundle",
};

function Files({ files, fileCount, id }: { files: ArtifactFile[]; fileCount: number; id: number }) {
  return (
    <div className="min-w-0">
      <Table label={`Files of upload ${id}`}>
        <thead>
          <tr>
            <Th>File</Th>
            <Th>What</Th>
            <Th>Debug id</Th>
            <Th isNumber>Bytes</Th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ path, url, type, debugId, bytes }) => (
            <tr key={path}>
              <Td className="min-w-56 break-all font-mono" title={path}>
                {url ?? path}
              </Td>
              <Td className="whitespace-nowrap">{TYPE_WORDS[type]}</Td>
              <Td className="whitespace-nowrap font-mono">
                {debugId === null ? <span className="text-faint">none</span> : withDashes(debugId)}
              </Td>
              <Td isNumber>{bytes.toLocaleString("en")}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {files.length < fileCount && (
        <p className="pt-2 text-muted text-xs">
          The first {files.length} of {fileCount.toLocaleString("en")} files.
        </p>
      )}
    </div>
  );
}

/** The page's query with these changed; null takes one away. */
function withParameter(search: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next.toString();
}
