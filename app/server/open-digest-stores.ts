import type { DigestThreadStores, MapThreadStores } from "../digest/digest-thread.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";

export interface DigestStoresOptions {
  /** The SQLite file of the state store. */
  statePath: string;
  /** The folder of the payload files. */
  payloadDir: string;
}

/** Opens, on the digest's own thread, the stores that the digest writes to. Named to it by `DIGEST_STORES_MODULE`. */
export async function openDigestStores(options: DigestStoresOptions): Promise<DigestThreadStores> {
  const state = await openSqliteState({ path: options.statePath });
  const payloads = await openPayloadFiles({ dir: options.payloadDir });
  return {
    state,
    payloads,
    isDataError,
  };
}

/** Opens, on a map thread, what mapping reads. The digest thread has opened the state store before. */
export async function openMapStores({ statePath }: DigestStoresOptions): Promise<MapThreadStores> {
  const state = await openSqliteState({ path: statePath, readOnly: true });
  return { artifacts: state.artifactIndex, groupingRules: state.groupingRuleIndex, ruleIndex: state.ruleIndex };
}

export const DIGEST_STORES_MODULE = import.meta.url;

/** Result codes of SQLite that blame a value: too big, constraint, mismatch, range. */
const SQLITE_DATA_ERRORS = new Set([18, 19, 20, 25]);
/** The beginning of DuckDB's messages when it cannot store a value. */
const DUCKDB_DATA_ERROR =
  /^(?:the event store failed: )?(?:Conversion|Constraint|Invalid Input|Out of Range|Mismatch Type) Error/;

/**
 * Whether an engine refused a value, as opposed to being full, locked, broken or gone. A bug of ours in handling a value
 * counts as well: trying the same again would run into it again.
 */
export function isDataError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const errcode = "errcode" in error ? error.errcode : undefined;
  // Extended codes carry the primary one in their lower byte.
  if (typeof errcode === "number") return SQLITE_DATA_ERRORS.has(errcode & 0xff);
  const name = "storeErrorName" in error ? error.storeErrorName : error.name;
  return name === "TypeError" || name === "RangeError" || DUCKDB_DATA_ERROR.test(error.message);
}
