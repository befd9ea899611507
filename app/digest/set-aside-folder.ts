import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../domain/bytes.ts";
import type { SetAside } from "../signals/digested.ts";

/** Our choice: enough to find a fault by, and too few to fill a disk if every record has the fault. */
const MAX_FILES = 1000;
const MAX_BYTES = 256 * MIB;

/**
 * Keeps items that could not be digested as files, for operators who look at them or send them again: the bytes, and beside them a JSON
 * file with the reason. The same item again writes the same files. When the folder is full, items are only counted.
 */
export class SetAsideFolder {
  readonly #dir: string;
  readonly #names: Set<string>;
  #bytes: number;
  #leftOutCount = 0;

  private constructor(dir: string, content: { names: Set<string>; bytes: number }) {
    this.#dir = dir;
    this.#names = content.names;
    this.#bytes = content.bytes;
  }

  static async open(dir: string): Promise<SetAsideFolder> {
    await mkdir(dir, { recursive: true });
    const names = new Set<string>();
    let bytes = 0;
    for (const file of await readdir(dir)) {
      if (!file.endsWith(".bytes")) continue;
      names.add(file.slice(0, -".bytes".length));
      bytes += (await stat(join(dir, file))).size;
    }
    return new SetAsideFolder(dir, { names, bytes });
  }

  /** The number of items in the folder, plus those that this process left out because it was full. */
  get count(): number {
    return this.#names.size + this.#leftOutCount;
  }

  /** Returns the path of the bytes. Null when the folder is full. */
  async add(journalId: string, { sequence, itemIndex, reason, bytes }: SetAside): Promise<string | null> {
    const name = `${journalId}-${sequence}${itemIndex === null ? "" : `-${itemIndex}`}`;
    const path = join(this.#dir, `${name}.bytes`);
    if (this.#names.has(name)) return path;
    if (this.#names.size >= MAX_FILES || this.#bytes + bytes.length > MAX_BYTES) {
      this.#leftOutCount++;
      return null;
    }
    const note = { journalId, sequence, itemIndex, reason, byteCount: bytes.length };
    await writeFile(join(this.#dir, `${name}.json`), `${JSON.stringify(note, null, 2)}\n`, { flush: true });
    await writeFile(`${path}.new`, bytes, { flush: true });
    await rename(`${path}.new`, path);
    this.#names.add(name);
    this.#bytes += bytes.length;
    return path;
  }
}
