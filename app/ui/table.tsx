import type { ComponentProps, ReactNode } from "react";
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

/** The row of a table's head. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  );
}

/** The head of a column. Numbers are at the right. */
export function Th({ isNumber = false, className, ...rest }: ComponentProps<"th"> & { isNumber?: boolean }) {
  return <th scope="col" {...rest} className={classNames(isNumber && "text-right", className)} />;
}

export function Td({ isNumber = false, className, ...rest }: ComponentProps<"td"> & { isNumber?: boolean }) {
  return <td {...rest} className={classNames(isNumber && "text-right", className)} />;
}
