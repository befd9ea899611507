import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

/** A link in running text: ink with a marker's underline. Prefetches on intent. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link prefetch="intent" {...rest} className={classNames("text-link", className)} />;
}
