import type { DrawnProfile } from "./profile-view.ts";

type Calls = Pick<DrawnProfile, "calls" | "functions">;

const nameOf = ({ calls, functions }: Calls, at: number) => functions[calls[at]?.function ?? -1]?.name.slice(0, 100);

/** The call with this index: with its name, because other files of a profiler give its calls other numbers. */
export function printZoom(drawn: Calls, at: number): string {
  return `${at}.${nameOf(drawn, at)}`;
}

/** Null: there is no such call. */
export function readZoom(drawn: Calls, zoom: string | null): number | null {
  const at = Number.parseInt(zoom ?? "", 10);
  return Number.isInteger(at) && at in drawn.calls && printZoom(drawn, at) === zoom ? at : null;
}

/** The path and search of an address without the zoom: addresses that differ in the zoom alone have the same data. */
export function withoutZoom({ pathname, searchParams }: URL): string {
  const rest = new URLSearchParams(searchParams);
  rest.delete("zoom");
  return `${pathname}?${rest}`;
}
