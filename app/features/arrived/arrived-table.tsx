import { isInBytes } from "../../domain/outcome.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { findFilterWords, toExamplePath } from "../filters/filter-words.ts";
import type { ArrivedRow } from "./get-arrived.server.ts";
import { LedgerFoot } from "./ledger-foot.tsx";
import { OUTCOME_LOOK } from "./outcome-look.ts";
import { OUTCOME_WORDS, toCategoryWords, toReasonWords } from "./outcome-words.ts";

/** All lines of the ledger. The items add up to the total in the foot, without bytes. */
export function ArrivedTable({
  rows,
  total,
  exampleSlug,
}: {
  rows: ArrivedRow[];
  total: number;
  /** The project whose filtered events have examples. Null: the rows are about several projects. */
  exampleSlug: string | null;
}) {
  return (
    <Table label="Items by outcome, kind and reason" className="wrap-break-word">
      <TableHead>
        <Th>Outcome</Th>
        <Th>Reason</Th>
        <Th>Kind</Th>
        <Th isNumber>Items</Th>
      </TableHead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.outcome} ${row.reason} ${row.category}`}>
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
              <span title={row.reason || undefined}>{row.filterName ?? toReasonWords(row.reason)}</span>
              {exampleSlug !== null && row.outcome === "filtered" && findFilterWords(row.reason) !== null && (
                <>
                  {" · "}
                  <TextLink to={toExamplePath(exampleSlug, row.reason)}>Example</TextLink>
                </>
              )}
            </Td>
            <Td>{toCategoryWords(row.category)}</Td>
            <Td isNumber>{isInBytes(row.category) ? formatBytes(row.quantity) : row.quantity.toLocaleString("en")}</Td>
          </tr>
        ))}
      </tbody>
      <LedgerFoot total={total} />
    </Table>
  );
}
