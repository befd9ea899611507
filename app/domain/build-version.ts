/** The running version: shown by `/healthz`, Settings, `/metrics` and the first line of the log, and the release of our own events. */
export interface BuildVersion {
  /** The version of package.json, like `0.2.0`. */
  version: string;
  /** First 12 digits of the commit, followed by `-dirty` if files were changed since; `unknown` outside of git. */
  commit: string;
}
