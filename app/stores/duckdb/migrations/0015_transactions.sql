-- The name of a span's segment without ids, numbers and literals: see span-table.ts. Null: the row was stored before.
ALTER TABLE spans ADD COLUMN segment_group VARCHAR;

-- Sums of transactions and web vitals: see app/stores/duckdb/transaction-sum-sql.ts. One row for each bucket of a histogram. One table: of each
-- column of a table that is written to, DuckDB holds a block in memory.
CREATE TABLE transaction_sums (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  -- `transaction-minute`, `transaction-hour`, `op-hour`, `vital-minute` or `vital-hour`.
  kind VARCHAR NOT NULL,
  -- In minutes or in hours since 1970.
  slot BIGINT NOT NULL,
  -- Null: one of the names beyond those that a project may have.
  name VARCHAR,
  -- Of web vitals, which one.
  op VARCHAR NOT NULL,
  environment VARCHAR,
  release VARCHAR,
  bucket SMALLINT NOT NULL,
  spans BIGINT NOT NULL,
  weight DOUBLE NOT NULL,
  total_us DOUBLE NOT NULL,
  -- Weight of those that failed; of web vitals, of those that were good and poor.
  failed DOUBLE NOT NULL,
  good DOUBLE NOT NULL,
  poor DOUBLE NOT NULL
);

-- What is stored already is summed by the job.
INSERT INTO rolled_up VALUES ('transactions', 0);
