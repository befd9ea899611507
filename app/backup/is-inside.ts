import { relative, sep } from "node:path";

/** Whether a path is the folder, or lies in it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`);
}
