import { Td, Th } from "../../ui/table.tsx";

/** The sum of the items, under the last of four columns. */
export function LedgerFoot({ total }: { total: number }) {
  return (
    <tfoot>
      <tr>
        <Th scope="row" colSpan={3}>
          All
        </Th>
        <Td isNumber>{total.toLocaleString("en")}</Td>
      </tr>
    </tfoot>
  );
}
