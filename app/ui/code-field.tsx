import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { TextField } from "./field.tsx";

/** A field for one line of machine text, in a monospaced font. The browser neither completes nor checks it. */
export function CodeField({ className, ...rest }: ComponentProps<typeof TextField>) {
  return (
    <TextField
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      className={classNames("[&_input]:font-mono", className)}
    />
  );
}
