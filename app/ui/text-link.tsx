import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

/** A link in running text, with a marker's underline. It prefetches its page when somebody is about to press it. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link prefetch="intent" {...rest} className={classNames("text-link", className)} />;
}
