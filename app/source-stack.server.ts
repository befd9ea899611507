import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { LRUCache } from "lru-cache";

/** A place in what `scripts/build-server.ts` has made: file, line, column, each counted from 1. */
const PLACE = /(?:file:\/\/)?(\/[^\s():]+\/build\/node\/[\w.-]+\.js):(\d+):(\d+)/g;

/**
 * Source maps that were read, or null for a file without one: up to 8 MB of memory until no error has come for a minute. Node's own switch
 * (`--enable-source-maps`) reads all of them at start and keeps them, 20 MB.
 */
const maps = new LRUCache<string, { map: SourceMap | null }>({ max: 8, ttl: 60_000, ttlAutopurge: true });

/** Replaces places of the build by places of the sources, in a stack or in any other text. Places without a map stay as they are. */
export function toSourceStack(stack: string): string {
  return stack.replace(PLACE, (built: string, file: string, line: string, column: string) => {
    const place = findSource(file, Number(line), Number(column));
    return place ? `${place.path}:${place.line}:${place.column}` : built;
  });
}

/**
 * The place in a source file; null where nothing is known.
 *
 * @param file absolute path of a file of the build
 * @param line from 1
 * @param column from 1
 */
export function findSource(
  file: string,
  line: number,
  column: number,
): { path: string; line: number; column: number } | null {
  const origin = readMap(file)?.findOrigin(line, column);
  if (!origin || !("fileName" in origin) || !origin.fileName) return null;
  return { path: resolve(dirname(file), origin.fileName), line: origin.lineNumber, column: origin.columnNumber };
}

function readMap(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known) return known.map;
  const path = `${file}.map`;
  let map: SourceMap | null = null;
  try {
    if (existsSync(path)) map = new SourceMap(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // The stack is returned as it is: logging an error must not throw another.
  }
  maps.set(file, { map });
  return map;
}
