import type { ComponentProps } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";

/** A table that scrolls within its own frame if it is too wide, so that the page does not scroll sideways. */
export function Table({ label, className, ...rest }: ComponentProps<"table"> & { label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table {...rest} className={classNames("table", className)} />
    </section>
  );
}

/** The head of a column. Numbers are at the right. */
export function Th({ isNumber = false, className, ...rest }: ComponentProps<"th"> & { isNumber?: boolean }) {
  return <th scope="col" {...rest} className={classNames(isNumber && "text-right", className)} />;
}

export function Td({ isNumber = false, className, ...rest }: ComponentProps<"td"> & { isNumber?: boolean }) {
  return <td {...rest} className={classNames(isNumber && "text-right", className)} />;
}

/** The head of a column, with a link that sorts by it. `sorted`: the order of this column; undefined: the table is sorted by another column. */
export function SortTh({
  to,
  sorted,
  children,
  ...rest
}: Omit<ComponentProps<typeof Th>, "aria-sort"> & {
  to: string;
  sorted: "ascending" | "descending" | undefined;
  children: string;
}) {
  return (
    <Th {...rest} aria-sort={sorted}>
      <Link to={to} prefetch="intent" preventScrollReset className="sort-link" data-sorted={sorted && true}>
        {children}
        <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true" className="sort-arrow">
          <path d={sorted === "ascending" ? "M0 6h8L4 1Z" : "M0 2h8L4 7Z"} fill="currentColor" />
        </svg>
      </Link>
    </Th>
  );
}
