import type { Frame } from "../../domain/event.ts";

/** Where the frame is, as short as people know it: `src/cart.ts`, `shop.cart`, `libc.so.6`. Null when nothing says it. */
export function toFramePlace(frame: Frame): string | null {
  return (
    frame.filename ?? frame.module ?? lastSegment(frame.package) ?? frame.abs_path ?? frame.instruction_addr ?? null
  );
}

/** `:14:42`, `:14`, or nothing. */
export function toFramePosition(frame: Frame): string {
  if (frame.lineno === undefined) return "";
  return frame.colno === undefined ? `:${frame.lineno}` : `:${frame.lineno}:${frame.colno}`;
}

export function toFrameFunction(frame: Frame): string {
  return frame.function ?? frame.symbol ?? "<unknown>";
}

function lastSegment(path: string | undefined): string | undefined {
  return path?.split(/[/\\]/).at(-1);
}
