import { Link } from "react-router";
import { Table, Td, Th } from "../../ui/table.tsx";
import type { ArrivedRow } from "./get-arrived.server.ts";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OUTCOME_WORDS, toCategoryWords, toReasonWords } from "./outcome-words.ts";

/** Every line of the ledger; the quantities add up to the total, which stands in the foot. */
export function ArrivedTable({
  rows,
  projects,
  total,
}: {
  rows: ArrivedRow[];
  projects: Array<{ id: number; slug: string; name: string }>;
  total: number;
}) {
  return (
    <Table label="Items by outcome, kind and reason">
      <thead>
        <tr>
          <Th>Outcome</Th>
          <Th>Reason</Th>
          <Th>Kind</Th>
          <Th>Project</Th>
          <Th isNumber>Items</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const project = projects.find(({ id }) => id === row.projectId);
          return (
            <tr key={`${row.outcome} ${row.reason} ${row.category} ${row.projectId}`}>
              <Td>
                <span className="flex items-center gap-2 whitespace-nowrap">
                  <span
                    aria-hidden="true"
                    className={`size-2.5 shrink-0 rounded-sm ${OUTCOME_LOOK[row.outcome].ground}`}
                  />
                  {OUTCOME_WORDS[row.outcome].label}
                </span>
              </Td>
              <Td>
                <span title={row.reason || undefined}>{toReasonWords(row.reason)}</span>
              </Td>
              <Td>{toCategoryWords(row.category)}</Td>
              <Td>
                {project ? (
                  <Link to={`/projects/${project.slug}`} prefetch="intent" className="text-link">
                    {project.name}
                  </Link>
                ) : (
                  `Project ${row.projectId}`
                )}
              </Td>
              <Td isNumber>{row.quantity.toLocaleString("en")}</Td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <Th scope="row" colSpan={4}>
            All
          </Th>
          <Td isNumber>{total.toLocaleString("en")}</Td>
        </tr>
      </tfoot>
    </Table>
  );
}
