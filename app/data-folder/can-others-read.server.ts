import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const READ_BY_OTHERS = 0o004;
const ENTERED_BY_OTHERS = 0o001;

/** Whether every user of this machine may read the file: it is readable for others, and each folder on the way to it lets them in. */
export function canOthersRead(path: string): boolean {
  const absolute = resolve(path);
  return hasMode(absolute, READ_BY_OTHERS) && canOthersEnter(dirname(absolute));
}

function canOthersEnter(folder: string): boolean {
  if (!hasMode(folder, ENTERED_BY_OTHERS)) return false;
  const parent = dirname(folder);
  return parent === folder || canOthersEnter(parent);
}

function hasMode(path: string, mode: number): boolean {
  return (statSync(path).mode & mode) !== 0;
}
