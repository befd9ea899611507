import type { FoundFrame } from "./collect-frames.ts";
import { type FileWork, type ResolveContext, takeMap } from "./resolve-files.ts";
import type { SourceMap } from "./source-map.ts";

/** The distance for a position that a map does not have, in characters. No distance on a line is as large. */
const MISSING = 1e12;

/**
 * If several maps bear the file's debug id, takes the one whose mappings are nearest to the frames. Vite's plugin makes an id of
 * code before it is minified, so a chunk of the browser's build and one of the server's may share it. Code that a later build did
 * not change keeps its id: an older upload counts only if the newer ones lack a position.
 */
export async function chooseMap(
  work: FileWork,
  frames: readonly FoundFrame[],
  { files, turns }: Pick<ResolveContext, "files" | "turns">,
): Promise<void> {
  if (work.mapsOfId.length < 2) return;
  const positions = frames.flatMap(({ path, frame: { lineno, colno } }) =>
    path === work.path && lineno !== undefined && colno !== undefined ? [{ line: lineno - 1, column: colno - 1 }] : [],
  );
  let chosen = { file: work.map, distance: Number.POSITIVE_INFINITY };
  for (const [index, file] of work.mapsOfId.entries()) {
    const isOlder = work.mapsOfId[index - 1]?.bundleId !== file.bundleId;
    if (isOlder && chosen.distance < MISSING) break;
    const answer = await files.getMap(file, turns);
    // It is too late for this event. The next request finds the map in the cache.
    if (answer === null) return;
    if (answer.kind === "refused") continue;
    const distance = positions.reduce((sum, position) => sum + distanceTo(answer.map, position), 0);
    if (distance < chosen.distance) chosen = { file, distance };
  }
  if (chosen.file !== null) takeMap(work, chosen.file);
}

/** Characters from the nearest mapping before a position. */
function distanceTo(map: SourceMap, { line, column }: { line: number; column: number }): number {
  const mapping = map.find(line, column);
  return mapping === null ? MISSING : column - mapping.generatedColumn;
}
