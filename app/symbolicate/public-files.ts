/** The result of asking for a file. Reasons are for people. */
export type FetchedPublicFile =
  | {
      kind: "fetched";
      /** Decompressed. */
      bytes: Buffer;
      /** Header `sourcemap` (or `x-sourcemap`), as sent: relative to the file. */
      sourceMapUrl: string | null;
      /** Names this content: another answer of the same URL has another one. */
      version: string;
      /** Milliseconds since 1970. */
      fetchedAt: number;
    }
  /** `refused`: it must not be fetched. */
  | { kind: "refused" | "failed"; reason: string };

/** Files that an application serves to everyone, fetched where its project allows it and nothing was uploaded. */
export interface PublicFiles {
  isEnabled(projectId: number): Promise<boolean>;
  /** Never rejects. Answers, negative ones too, are kept for some minutes. */
  fetch(projectId: number, url: string): Promise<FetchedPublicFile>;
}
