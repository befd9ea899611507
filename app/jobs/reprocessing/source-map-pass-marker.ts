import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { createInTurn } from "../../domain/in-turn.ts";

/**
 * A file with the version of the uploads up to which stored events have been mapped. After a normal stop the server need not look at all
 * events again. After a kill in the middle of a run it does.
 */
export class SourceMapPassMarker {
  readonly #path: string;
  /** The content of the file. Undefined: not read yet. */
  #written: number | null | undefined;
  readonly #inTurn = createInTurn();

  constructor(path: string) {
    this.#path = path;
  }

  /** Null: the version is unknown. */
  async read(): Promise<number | null> {
    this.#written = await this.#readFile();
    return this.#written;
  }

  /** Writes the version; null removes it. Writes happen one after another, in the order of the calls. */
  write(artifactVersion: number | null): Promise<void> {
    return this.#inTurn(() => this.#write(artifactVersion));
  }

  async #write(artifactVersion: number | null): Promise<void> {
    if (this.#written === artifactVersion) return;
    if (artifactVersion === null) {
      await rm(this.#path, { force: true });
    } else {
      const temporary = `${this.#path}.new`;
      await writeFile(temporary, JSON.stringify({ artifactVersion }));
      await rename(temporary, this.#path);
    }
    this.#written = artifactVersion;
  }

  async #readFile(): Promise<number | null> {
    try {
      const marker: unknown = JSON.parse(await readFile(this.#path, "utf8"));
      if (typeof marker !== "object" || marker === null || !("artifactVersion" in marker)) return null;
      return typeof marker.artifactVersion === "number" ? marker.artifactVersion : null;
    } catch {
      // The file is missing, or a crash cut it off. Then everything is looked at again.
      return null;
    }
  }
}
