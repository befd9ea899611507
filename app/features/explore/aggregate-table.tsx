import { Link } from "react-router";
import { formatCount } from "../../ui/count.tsx";
import { SortTh } from "../../ui/sort-th.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { addFilter, type ExploreOptions, toExplorePath, toFilterKey } from "./explore-options.ts";
import { formatFigure, shortenFigure } from "./format-aggregate.ts";
import type { SpanSums } from "./sum-spans.server.ts";

/** Groups with their figures. By default, groups with most spans come first. A group links to its spans. */
export function AggregateTable({ sums, options }: { sums: SpanSums; options: ExploreOptions }) {
  const { by, show } = options;
  const sort = options.sort ?? { name: "count()", isDescending: true };
  const toHead = (name: string, isFigure: boolean) => {
    const isSorted = sort.name === name;
    // The first click sorts figures in descending order, and names in ascending order.
    const isDescending = isSorted ? !sort.isDescending : isFigure;
    return {
      isNumber: isFigure,
      to: toExplorePath(options, { sort: { name, isDescending } }),
      sorted: isSorted ? (sort.isDescending ? ("descending" as const) : ("ascending" as const)) : undefined,
    };
  };
  return (
    <>
      <Table label="Groups of spans">
        <TableHead>
          {by.length === 0 ? (
            <Th>Spans</Th>
          ) : (
            by.map((key) => (
              <SortTh key={key} {...toHead(key, false)}>
                {key}
              </SortTh>
            ))
          )}
          {show.map((figure) => (
            <SortTh key={figure.name} {...toHead(figure.name, true)}>
              {shortenFigure(figure)}
            </SortTh>
          ))}
          <Th isNumber>kept</Th>
        </TableHead>
        <tbody>
          {sums.rows.map(({ group, values, spans, isUnsure }) => {
            const path = toExplorePath(options, { search: toGroupSearch(options, group), view: "samples" });
            return (
              <tr key={JSON.stringify(group)}>
                {by.length === 0 ? (
                  <Td>
                    <Link to={path} className="hover:underline">
                      all
                    </Link>
                  </Td>
                ) : (
                  group.map((value, index) => (
                    <Td key={by[index]} className="max-w-96 font-mono">
                      <Link to={path} className="block truncate hover:underline">
                        {value || "(none)"}
                      </Link>
                    </Td>
                  ))
                )}
                {show.map((figure, index) => (
                  <Td key={figure.name} isNumber className="tabular whitespace-nowrap">
                    {formatFigure(figure, values[index] ?? null)}
                  </Td>
                ))}
                <Td isNumber className="tabular whitespace-nowrap text-muted">
                  {formatCount(spans)}
                  {isUnsure && " (low confidence)"}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {sums.hasMore && (
        <p className="px-4 py-2 text-muted text-xs">
          These are the first {formatCount(sums.rows.length)} groups in this order. Sort or search to see others.
        </p>
      )}
    </>
  );
}

function toGroupSearch({ search, by }: ExploreOptions, group: ReadonlyArray<string | null>): string {
  return by.reduce((text, key, index) => {
    const value = group[index] ?? null;
    const name = toFilterKey(key);
    if (value === null) return `${text} !has:${name}`.trim();
    return addFilter(text, name, value);
  }, search);
}
