import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { TextField } from "./field.tsx";

/** Machine text on one line: in mono, and neither completed nor checked by the browser. */
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
