import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { UploadsPage } from "./list-uploads.server.ts";
import { UploadRow } from "./upload-row.tsx";

/** One page of uploads with their facts. One of them may show its files. */
export function UploadList({
  page: { uploads, opened, nextCursor },
  toReleaseLink,
  empty,
}: {
  page: UploadsPage;
  /** Returns the address of a release that an upload is for. */
  toReleaseLink: (version: string) => string;
  /** Shown when there are no uploads. */
  empty: ReactNode;
}) {
  const [search] = useSearchParams();
  const isLater = search.has("cursor");
  return (
    <Panel id="uploads" title="Uploads" isFlush>
      {uploads.length === 0 ? (
        empty
      ) : (
        <ul aria-label="Uploads" className="divide-y divide-line">
          {uploads.map((upload) => (
            <li key={upload.id} id={`upload-${upload.id}`} className="grid scroll-mt-4 gap-2 p-4">
              <UploadRow
                upload={upload}
                files={opened?.id === upload.id ? opened.files : null}
                filesTo={`?${withParameter(search, {
                  upload: opened?.id === upload.id ? null : String(upload.id),
                })}#upload-${upload.id}`}
                toReleaseLink={toReleaseLink}
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

/** The page's query with some parameters changed. Null removes one. */
function withParameter(search: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next.toString();
}
