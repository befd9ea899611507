import { Badge } from "../../ui/badge.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { SortTh } from "../../ui/sort-th.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { sayPlace, sayShare } from "./function-words.ts";
import { toProfilePath } from "./profile-options.ts";
import type { DrawnProfile, ProfileView } from "./profile-view.ts";

/** The functions of a thread that took most time. */
export function FunctionTable({ view, drawn }: { view: ProfileView; drawn: DrawnProfile }) {
  const { order } = view.options;
  const { functions, listed, totalUs, functionCount } = drawn;
  return (
    <>
      <Table label="Functions">
        <TableHead>
          <Th>Function</Th>
          {(["self", "total"] as const).map((each) => (
            <SortTh
              key={each}
              isNumber
              to={toProfilePath(view.id, { ...view.options, order: each })}
              sorted={order === each ? "descending" : undefined}
            >
              {each === "self" ? "Own time" : "Total"}
            </SortTh>
          ))}
        </TableHead>
        <tbody>
          {listed.map((index) => {
            const each = functions[index];
            if (!each) return null;
            return (
              <tr key={index}>
                <Td className="wrap-anywhere font-mono">
                  <bdi className={each.isInApp ? "font-semibold" : undefined}>{each.name}</bdi>{" "}
                  {each.isInApp && <Badge>in app</Badge>}
                  <bdi className="block text-muted text-xs">{sayPlace(each)}</bdi>
                </Td>
                <Time us={each.selfUs} ofUs={totalUs} />
                <Time us={each.totalUs} ofUs={totalUs} />
              </tr>
            );
          })}
        </tbody>
      </Table>
      {functionCount > listed.length && (
        <p className="p-3 text-muted text-sm">
          {(functionCount - listed.length).toLocaleString("en")} more functions took less time.
        </p>
      )}
    </>
  );
}

function Time({ us, ofUs }: { us: number; ofUs: number }) {
  return (
    <Td isNumber className="tabular">
      {us === 0 ? <span className="text-faint">0</span> : formatDuration(us)}
      <span className="block text-muted text-xs">{us > 0 && sayShare(us, ofUs)}</span>
    </Td>
  );
}
