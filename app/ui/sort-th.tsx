import type { ComponentProps } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";

/** The head of a column, with a link that sorts by it. `sorted`: the order of this column; undefined: the table is sorted by another column. */
export function SortTh({
  to,
  sorted,
  isNumber = false,
  className,
  children,
  ...rest
}: Omit<ComponentProps<"th">, "aria-sort"> & {
  to: string;
  sorted: "ascending" | "descending" | undefined;
  isNumber?: boolean;
  children: string;
}) {
  return (
    <th scope="col" {...rest} aria-sort={sorted} className={classNames(isNumber && "text-right", className)}>
      <Link to={to} prefetch="intent" preventScrollReset className="sort-link" data-sorted={sorted && true}>
        {children}
        <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true" className="sort-arrow">
          <path d={sorted === "ascending" ? "M0 6h8L4 1Z" : "M0 2h8L4 7Z"} fill="currentColor" />
        </svg>
      </Link>
    </th>
  );
}
