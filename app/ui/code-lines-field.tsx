import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { TextareaField } from "./field.tsx";

/** A field for several lines of machine text, like rules or keys, in a monospaced font. The browser does not check it. */
export function CodeLinesField({ className, ...rest }: ComponentProps<typeof TextareaField>) {
  return <TextareaField spellCheck={false} {...rest} className={classNames("[&_textarea]:font-mono", className)} />;
}
