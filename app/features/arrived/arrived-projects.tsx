import { Pagination } from "../../ui/pagination.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { ArrivedProject } from "./get-arrived.server.ts";
import { toPercent } from "./to-percent.ts";

/** How much came to each project, and how much of it was not stored. One page of them. */
export function ArrivedProjects({
  list,
  names,
  toPath,
}: {
  list: ArrivedProjectPage;
  names: ReadonlyArray<{ id: number; slug: string; name: string }>;
  /** The address of this page with a project, or another part of the list, chosen. */
  toPath: (change: { project: string } | { page: number }) => string;
}) {
  const { projects, page, pageCount, count, from } = list;
  return (
    <>
      <Table label="Items by project">
        <thead>
          <tr>
            <Th>Project</Th>
            <Th isNumber>Stored</Th>
            <Th isNumber>Not stored</Th>
            <Th isNumber>Share not stored</Th>
          </tr>
        </thead>
        <tbody>
          {projects.map(({ projectId, stored, notStored }) => {
            const known = names.find(({ id }) => id === projectId);
            return (
              <tr key={projectId}>
                <Td className="wrap-anywhere min-w-32">
                  {known ? (
                    <TextLink to={toPath({ project: known.slug })}>{known.name}</TextLink>
                  ) : (
                    `Project ${projectId}`
                  )}
                </Td>
                <Td isNumber>{stored.toLocaleString("en")}</Td>
                <Td isNumber>{notStored.toLocaleString("en")}</Td>
                <Td isNumber>{stored === 0 && notStored > 0 ? "100 %" : toPercent(notStored, stored + notStored)}</Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {pageCount > 1 && (
        <div className="px-4">
          <Pagination
            label="Pages of projects"
            previousTo={page > 1 ? toPath({ page: page - 1 }) : null}
            nextTo={page < pageCount ? toPath({ page: page + 1 }) : null}
          >
            {`${from.toLocaleString("en")} to ${(from + projects.length - 1).toLocaleString("en")} of ${count.toLocaleString("en")} projects`}
          </Pagination>
        </div>
      )}
    </>
  );
}

export const ARRIVED_PROJECTS_PER_PAGE = 25;

export interface ArrivedProjectPage {
  projects: ArrivedProject[];
  /** From 1: the last one where the address asks for a later one. */
  page: number;
  pageCount: number;
  /** On all pages. */
  count: number;
  /** Place of the first one, from 1. */
  from: number;
}

export function toArrivedProjectPage(all: readonly ArrivedProject[], wanted: string | null): ArrivedProjectPage {
  const pageCount = Math.max(1, Math.ceil(all.length / ARRIVED_PROJECTS_PER_PAGE));
  const asked = Number(wanted);
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pageCount) : 1;
  const start = (page - 1) * ARRIVED_PROJECTS_PER_PAGE;
  return {
    projects: all.slice(start, start + ARRIVED_PROJECTS_PER_PAGE),
    page,
    pageCount,
    count: all.length,
    from: start + 1,
  };
}
