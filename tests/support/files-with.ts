import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";

/**
 * Files of the data folder that hold the text, payloads as they were before they were compressed. Not the event database: it deletes rows,
 * and writes over their bytes when it needs the room.
 */
export async function filesWith(dataDir: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith("events.duckdb")) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path.slice(dataDir.length + 1));
  }
  const payloads = await openPayloadFiles({ dir: join(dataDir, "payloads") });
  for (const { fileId } of await payloads.listFiles()) {
    for await (const part of payloads.readLog(fileId, 0)) {
      if (part.kind !== "entry") continue;
      const blocks = [part.bytes];
      for (let place = 0; part.refOf(place).index >= 0; place++)
        blocks.push((await payloads.read(part.refOf(place))) ?? new Uint8Array(0));
      if (blocks.some((bytes) => Buffer.from(bytes).includes(text))) found.push(`payloads of ${fileId}`);
    }
  }
  await payloads.close();
  return found;
}
