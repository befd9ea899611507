import { Trash2 } from "lucide-react";
import { Form, Link } from "react-router";
import type { ArtifactFile } from "../../domain/artifact.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { IfMay } from "../frame/use-may.tsx";
import type { ListedUpload } from "./list-uploads.server.ts";

/** One upload: when, by whom and for what. It shows its files on request. */
export function UploadRow({
  upload: { id, singleFile, fileCount, bytes, uploadedAt, uploadedBy, releases, projectIds, debugId, note },
  files,
  filesTo,
  toReleaseLink,
}: {
  upload: ListedUpload;
  /** The first files. Null: they are not shown. */
  files: ArtifactFile[] | null;
  /** The address that shows the files, or hides them again. */
  filesTo: string;
  toReleaseLink: (version: string) => string;
}) {
  const isMapping = singleFile?.type === "proguard_mapping";
  const name = isMapping ? withDashes(singleFile.debugId ?? "") : (singleFile?.url ?? null);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-base">Upload {id}</h3>
        <Badge>
          {singleFile === null ? "Artifact bundle" : isMapping ? TYPE_WORDS.proguard_mapping : "Single file"}
        </Badge>
        {name !== null && <span className="wrap-anywhere font-mono text-sm">{name}</span>}
        <span className="text-muted text-sm">
          <AbsoluteTime at={uploadedAt} /> (<RelativeTime at={uploadedAt} />)
        </span>
      </div>
      <p className="text-sm">
        {releases.length === 0 ? (
          <span className="text-muted">
            {isMapping ? "Events name it by its id." : "Without a release: matched by debug ids."}
          </span>
        ) : (
          <>
            <span className="text-muted">For </span>
            {releases.map(({ version, dist }, index) => (
              <span key={`${version} ${dist}`}>
                {index > 0 && ", "}
                <TextLink to={toReleaseLink(version)} className="wrap-anywhere font-mono">
                  {version}
                </TextLink>
                {dist !== null && <span className="text-muted"> dist {dist}</span>}
              </span>
            ))}
          </>
        )}
      </p>
      <p className="wrap-anywhere text-muted text-xs">
        {uploadedBy === null ? "By a person or the operator’s token" : <>By the token “{uploadedBy}”</>}, {fileCount}{" "}
        {fileCount === 1 ? "file" : "files"}, {formatBytes(bytes)}
        {debugId !== null && <>, bundle {withDashes(debugId)}</>}
        {note !== null && note !== "" && <>, “{note}”</>}
      </p>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <Link
          to={filesTo}
          preventScrollReset
          aria-expanded={files !== null}
          className="inline-flex min-h-8 items-center text-sm"
        >
          <span className="text-link">{files === null ? "Show files" : "Hide files"}</span>
        </Link>
        <IfMay right="project:releases">
          <Disclosure summary={<span className="text-sm">Delete</span>}>
            <Form method="post" className="flex flex-wrap items-center gap-2 pt-3">
              <input type="hidden" name="upload" value={id} />
              <Button
                type="submit"
                name="intent"
                value="delete-upload"
                variant="danger"
                size="sm"
                icon={<Trash2 aria-hidden="true" />}
              >
                Delete upload {id}
              </Button>
              <p className="text-muted text-xs">
                Later events are not mapped by it any more. You cannot undo this.
                {releases.length > 1 && ` It is for ${releases.length} releases, and goes from all of them.`}
                {projectIds.length > 1 && ` It is of ${projectIds.length} projects, and goes from all of them.`}
              </p>
            </Form>
          </Disclosure>
        </IfMay>
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
  proguard_mapping: "ProGuard mapping",
};

function Files({ files, fileCount, id }: { files: ArtifactFile[]; fileCount: number; id: number }) {
  return (
    <div className="min-w-0">
      <Table label={`Files of upload ${id}`}>
        <TableHead>
          <Th>File</Th>
          <Th>What</Th>
          <Th>Debug id</Th>
          <Th isNumber>Bytes</Th>
        </TableHead>
        <tbody>
          {files.map(({ path, url, type, debugId, bytes }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one path may be there twice, and files do not move
            <tr key={index}>
              <Td className="min-w-56 break-all font-mono" title={path}>
                {url ?? (path || "mapping.txt")}
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
