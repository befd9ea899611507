import { Pagination } from "../../ui/pagination.tsx";
import { SortTh } from "../../ui/sort-th.tsx";
import { Table, TableHead, Td } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { ArrivedProjectPage, ProjectSort } from "./arrived-project-page.ts";
import { toPercent } from "./to-percent.ts";

/** A change of the address: to one project, or to another part of the list. */
export type ArrivedProjectsChange = { project: string } | { sort: ProjectSort; page: number };

const COLUMNS = [
  { sort: "name", title: "Project" },
  { sort: "stored", title: "Stored" },
  { sort: "not-stored", title: "Not stored" },
  { sort: "share", title: "Share not stored" },
] as const satisfies ReadonlyArray<{ sort: ProjectSort; title: string }>;

/** One page of projects, with how much came to each and how much of it was not stored. */
export function ArrivedProjects({
  list,
  names,
  toPath,
}: {
  list: ArrivedProjectPage;
  names: ReadonlyArray<{ id: number; slug: string; name: string }>;
  /** The address of this page with the change. */
  toPath: (change: ArrivedProjectsChange) => string;
}) {
  const { projects, sort: sorted, page, pageCount, count, from } = list;
  return (
    <>
      <Table label="Items by project">
        <TableHead>
          {COLUMNS.map(({ sort, title }) => (
            <SortTh
              key={sort}
              isNumber={sort !== "name"}
              to={toPath({ sort, page: 1 })}
              sorted={sort === sorted ? (sort === "name" ? "ascending" : "descending") : undefined}
            >
              {title}
            </SortTh>
          ))}
        </TableHead>
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
            previousTo={page > 1 ? toPath({ sort: sorted, page: page - 1 }) : null}
            nextTo={page < pageCount ? toPath({ sort: sorted, page: page + 1 }) : null}
          >
            {`${from.toLocaleString("en")} to ${(from + projects.length - 1).toLocaleString("en")} of ${count.toLocaleString("en")} projects`}
          </Pagination>
        </div>
      )}
    </>
  );
}
