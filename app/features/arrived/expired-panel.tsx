import type { ExpiryReason } from "../../domain/outcome.ts";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Arrived } from "./get-arrived.server.ts";
import { LedgerFoot } from "./ledger-foot.tsx";
import { toCategoryWords } from "./outcome-words.ts";

const REASONS: Record<ExpiryReason, string> = {
  retention: "Retention was over",
  disk_space: "To make room on the disk",
};

/** Items that were stored earlier and deleted in this time. */
export function ExpiredPanel({
  expired,
  projects,
}: Pick<Arrived, "expired"> & { projects: Array<{ id: number; name: string }> }) {
  if (expired.length === 0) return null;
  const total = expired.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <Panel
      title="Expired"
      description="Items that were stored earlier, and were deleted in this time. They are not part of the sums above."
      actions={<TextLink to="/settings/storage">Storage</TextLink>}
      isFlush
    >
      <Table label="Expired items by kind, project and reason" className="wrap-break-word">
        <TableHead>
          <Th>Reason</Th>
          <Th>Kind</Th>
          <Th>Project</Th>
          <Th isNumber>Items</Th>
        </TableHead>
        <tbody>
          {expired.map(({ projectId, category, reason, quantity }) => (
            <tr key={`${projectId} ${category} ${reason}`}>
              <Td>{REASONS[reason]}</Td>
              <Td className="whitespace-nowrap">{toCategoryWords(category)}</Td>
              <Td>{projects.find(({ id }) => id === projectId)?.name ?? `Project ${projectId}`}</Td>
              <Td isNumber>{quantity.toLocaleString("en")}</Td>
            </tr>
          ))}
        </tbody>
        <LedgerFoot total={total} />
      </Table>
    </Panel>
  );
}
