import { Link } from "react-router";
import { formatCount } from "../../ui/count.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import { addFilter, type ExploreOptions, toExplorePath, toFilterKey } from "./explore-options.ts";
import { formatAggregate } from "./format-aggregate.ts";
import type { SpanSums } from "./sum-spans.server.ts";

/** Groups with their figures, those of most spans first. A group leads to its spans. */
export function AggregateTable({ sums, options }: { sums: SpanSums; options: ExploreOptions }) {
  const { by, show } = options;
  return (
    <>
      <Table label="Groups of spans">
        <thead>
          <tr>
            {by.length === 0 ? <Th>Spans</Th> : by.map((key) => <Th key={key}>{key}</Th>)}
            {show.map((aggregate) => (
              <Th key={aggregate} isNumber>
                {aggregate.replace("span.duration", "duration")}
              </Th>
            ))}
            <Th isNumber>kept</Th>
          </tr>
        </thead>
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
                {values.map((value, index) => (
                  <Td key={show[index]} isNumber className="tabular whitespace-nowrap">
                    {formatAggregate(show[index] ?? "count()", value)}
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
        <p className="px-4 py-2 text-muted text-xs">These are the groups of most spans. Search to see others.</p>
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
