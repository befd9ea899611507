import { Link } from "react-router";
import type { NumberSummary } from "../../domain/number-summary.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { formatCount } from "../../ui/count.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { sayRange, toggleRange } from "../search/search-range.ts";
import { addFilter, type ExploreOptions, toExplorePath, toFilterKey } from "./explore-options.ts";
import { formatShare } from "./format-share.ts";
import type { AttributeSummary } from "./get-explore-page.server.ts";
import { NumberFigures } from "./number-figures.tsx";

/**
 * The attributes that spans in the range have, with their most frequent values or the ranges of their numbers. A value links to its spans;
 * a key groups by it.
 */
export function AttributeList({
  attributes,
  options,
}: {
  attributes: readonly AttributeSummary[];
  options: ExploreOptions;
}) {
  return (
    <>
      <p className="px-4 pt-3 text-muted text-xs">
        Of all spans that came in the hours of the range, whatever the search says: each counts as often as its sampling
        rate says. They may lag by a minute. Of an attribute with {MAX_SUMMED_VALUES} values or more, rarer values are
        not counted.
      </p>
      <Table label="Attributes" className="explore-attributes">
        <TableHead>
          <Th>Attribute</Th>
          <Th isNumber>Spans</Th>
          <Th>Most frequent values, or ranges of numbers</Th>
        </TableHead>
        <tbody>
          {attributes.map(({ key, count, isCut, values, numbers }) => (
            <tr key={key}>
              <Td className="max-w-64 truncate font-mono">
                <Link to={toExplorePath(options, { by: [key], view: "aggregates" })} className="hover:underline">
                  {key}
                </Link>
              </Td>
              <Td isNumber className="tabular">
                {numbers ? (
                  formatCount(Math.round(numbers.count))
                ) : (
                  <>
                    {isCut && "at least "}
                    {formatCount(count)}
                  </>
                )}
              </Td>
              <Td>
                {numbers && <NumberFigures numbers={numbers} />}
                <ul className="flex flex-wrap gap-x-4 gap-y-1">
                  {numbers && numbers.ranges.length > 0
                    ? toRanges(options, key, numbers)
                    : values.map(({ value, count: of }) => (
                        <ValueLink
                          key={value}
                          label={value}
                          count={isCut ? `at least ${formatCount(of)}` : formatShare(of / count)}
                          to={toExplorePath(options, {
                            search: addFilter(options.search, toFilterKey(key), value),
                            view: "samples",
                          })}
                        />
                      ))}
                </ul>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

function toRanges(options: ExploreOptions, key: string, { ranges }: NumberSummary) {
  return ranges.map((range) => (
    <ValueLink
      key={`${range.from} ${range.to}`}
      label={sayRange(range)}
      count={formatShare(range.share)}
      to={toExplorePath(options, { search: toggleRange(options.search, key, range), view: "samples" })}
    />
  ));
}

function ValueLink({ label, count, to }: { label: string; count: string; to: string }) {
  return (
    <li className="flex max-w-80 items-baseline gap-1.5">
      <Link to={to} className="truncate font-mono hover:underline">
        {label}
      </Link>
      <span className="tabular shrink-0 text-muted text-xs">{count}</span>
    </li>
  );
}
