import { Link } from "react-router";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { formatCount } from "../../ui/count.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import { addFilter, type ExploreOptions, toExplorePath, toFilterKey } from "./explore-options.ts";
import { formatShare } from "./format-share.ts";
import type { AttributeSummary } from "./get-explore-page.server.ts";

/** The attributes that spans in the range have, with their most frequent values. A value links to its spans; a key groups by it. */
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
        <thead>
          <tr>
            <Th>Attribute</Th>
            <Th isNumber>Spans</Th>
            <Th>Most frequent values</Th>
          </tr>
        </thead>
        <tbody>
          {attributes.map(({ key, count, isCut, values }) => (
            <tr key={key}>
              <Td className="max-w-64 truncate font-mono">
                <Link to={toExplorePath(options, { by: [key], view: "aggregates" })} className="hover:underline">
                  {key}
                </Link>
              </Td>
              <Td isNumber className="tabular">
                {isCut && "at least "}
                {formatCount(count)}
              </Td>
              <Td>
                <ul className="flex flex-wrap gap-x-4 gap-y-1">
                  {values.map(({ value, count: of }) => (
                    <li key={value} className="flex max-w-80 items-baseline gap-1.5">
                      <Link
                        to={toExplorePath(options, {
                          search: addFilter(options.search, toFilterKey(key), value),
                          view: "samples",
                        })}
                        className="truncate font-mono hover:underline"
                      >
                        {value}
                      </Link>
                      <span className="tabular text-muted text-xs">
                        {isCut ? `at least ${formatCount(of)}` : formatShare(of / count)}
                      </span>
                    </li>
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
