import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AttachmentList, type ListedFiles } from "./attachment-list.tsx";

/** Files that share an id for which there is no error. */
export function FilesOfId({
  eventId,
  files,
  tracePath,
}: {
  eventId: string;
  files: ListedFiles;
  tracePath: string | null;
}) {
  return (
    <>
      <PageHeader
        title={toFilesTitle(eventId)}
        description={describe(tracePath !== null)}
        actions={tracePath !== null && <LinkButton to={tracePath}>Its trace</LinkButton>}
      />
      <Panel id="attachments" title="Files" isFlush>
        <AttachmentList page={files} path={`/events/${eventId}`} />
      </Panel>
    </>
  );
}

export function toFilesTitle(eventId: string): string {
  return `Files of ${eventId.slice(0, 8)}`;
}

function describe(isOfTransaction: boolean): string {
  if (isOfTransaction) return "These files came with a transaction.";
  return "These files came under this id. No event with it is stored.";
}
