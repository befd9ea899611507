import type { DrawnProfile } from "./profile-view.ts";

type Calls = Pick<DrawnProfile, "calls" | "functions">;

const nameOf = ({ calls, functions }: Calls, at: number) => functions[calls[at]?.function ?? -1]?.name.slice(0, 100);

/** A call by its index and its name: in other files of a profiler, its calls have other indexes. */
export function printZoom(drawn: Calls, at: number): string {
  return `${at}.${nameOf(drawn, at)}`;
}

/** Null: there is no such call. */
export function readZoom(drawn: Calls, zoom: string | null): number | null {
  const at = Number.parseInt(zoom ?? "", 10);
  return Number.isInteger(at) && at in drawn.calls && printZoom(drawn, at) === zoom ? at : null;
}

/** The path and search of an address without the zoom: addresses that differ only in the zoom have the same data. */
export function withoutZoom({ pathname, searchParams }: URL): string {
  const rest = new URLSearchParams(searchParams);
  rest.delete("zoom");
  return `${pathname}?${rest}`;
}
