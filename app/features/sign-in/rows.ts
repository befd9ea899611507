/** A row of better-auth. Ids are texts. */
export type Row = Record<string, unknown>;
/** The values that rows must have, by field. */
export type Match = Record<string, unknown>;

/**
 * What better-auth can do with one of its models, on Culprit's stores. Culprit uses nothing that needs an absent method; better-auth's call
 * of one throws.
 */
export interface Rows {
  create?(row: Row): Promise<Row>;
  find?(match: Match): Promise<Row[]>;
  /** Returns the changed row. Null: there is none. */
  update?(match: Match, change: Row): Promise<Row | null>;
  /** Returns the removed rows. */
  remove?(match: Match): Promise<Row[]>;
}
