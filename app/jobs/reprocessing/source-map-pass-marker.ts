import { readFile, rename, rm, writeFile } from "node:fs/promises";

/**
 * Up to which version of the uploads stored events have been mapped, in a file: a server that starts again need not look at
 * all of them, and one that was killed in the middle does.
 */
export class SourceMapPassMarker {
  readonly #path: string;
  /** The content of the file; undefined: not read yet. */
  #written: number | null | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Null: nothing is known. */
  async read(): Promise<number | null> {
    this.#written = await this.#readFile();
    return this.#written;
  }

  /** Null takes the mark away. One after another, in the order of the calls. */
  write(artifactVersion: number | null): Promise<void> {
    const written = this.#lastWrite.then(() => this.#write(artifactVersion));
    this.#lastWrite = written.catch(() => {});
    return written;
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
      // Missing, or cut off by a crash: then everything is looked at.
      return null;
    }
  }
}
