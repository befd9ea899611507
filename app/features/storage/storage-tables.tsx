import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { formatBytes } from "../../ui/format-bytes.ts";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import type { StoragePage } from "./get-storage-page.server.ts";

/** The kinds of data: how long each is kept, and how much room it takes. */
export function KindTable({ kinds, isWhole }: Pick<StoragePage, "kinds" | "isWhole">) {
  return (
    <Panel
      title="By kind"
      description="RETENTION_DAYS sets how long all kinds are kept, and SIGNAL_RETENTION_DAYS sets other days for some."
      isFlush
    >
      <Table label="Storage by kind">
        <TableHead>
          <Th>Kind</Th>
          <Th isNumber>Kept for</Th>
          <Th isNumber>Rows</Th>
          <Th isNumber>Payloads</Th>
          {isWhole && <Th isNumber>Since</Th>}
        </TableHead>
        <tbody>
          {kinds.map(({ name, retentionDays, rows, bytes, oldest }) => (
            <tr key={name}>
              <Td className="whitespace-nowrap">{name}</Td>
              <Td isNumber className="whitespace-nowrap">
                {retentionDays === null ? "—" : `${retentionDays} ${retentionDays === 1 ? "day" : "days"}`}
              </Td>
              <Td isNumber>{rows.toLocaleString("en")}</Td>
              <Td isNumber className="whitespace-nowrap">
                {formatBytes(bytes)}
              </Td>
              {isWhole && (
                <Td isNumber className="whitespace-nowrap">
                  {oldest ?? "—"}
                </Td>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

/** The projects with the room that they take, the largest first. */
export function ProjectTable({ projects }: Pick<StoragePage, "projects">) {
  return (
    <Panel
      title="By project"
      description="Projects share payload files and the event database: each has its share of payloads, and by the number of its rows an estimated one of the database. Figures are up to five minutes old."
      isFlush
    >
      <Table label="Storage by project">
        <TableHead>
          <Th>Project</Th>
          <Th isNumber className="max-sm:hidden">
            Rows
          </Th>
          <Th isNumber>Payloads</Th>
          <Th isNumber>Database (estimate)</Th>
          <Th isNumber>Source maps</Th>
        </TableHead>
        <tbody>
          {projects.map(({ id, slug, name, rows, bytes, rowBytes, sourceMapBytes }) => (
            <tr key={id}>
              <Td>
                <Link to={`/projects/${slug}`} prefetch="intent" className="text-link">
                  {name}
                </Link>
              </Td>
              <Td isNumber className="max-sm:hidden">
                {rows.toLocaleString("en")}
              </Td>
              <Td isNumber className="whitespace-nowrap">
                {formatBytes(bytes)}
              </Td>
              <Td isNumber className="whitespace-nowrap">
                {formatBytes(rowBytes)}
              </Td>
              <Td isNumber className="whitespace-nowrap">
                {formatBytes(sourceMapBytes)}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
