-- Hours and days that are over, in which the parts of sums are added up: see app/stores/duckdb/merged-sums.ts. `chunk` is the ordinal up to
-- which pieces were summed then. Slots are in minutes since 1970 everywhere from here on, also those of hours and days.
CREATE TABLE span_hours AS FROM span_minutes LIMIT 0;

-- Without releases, which nobody asks for.
CREATE TABLE transaction_hours (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  -- As in transaction_sums.
  kind VARCHAR NOT NULL,
  slot BIGINT NOT NULL,
  name VARCHAR,
  op VARCHAR NOT NULL,
  environment VARCHAR,
  bucket SMALLINT NOT NULL,
  spans BIGINT NOT NULL,
  weight DOUBLE NOT NULL,
  total_us DOUBLE NOT NULL,
  failed DOUBLE NOT NULL,
  good DOUBLE NOT NULL,
  poor DOUBLE NOT NULL
);
CREATE TABLE transaction_days AS FROM transaction_hours LIMIT 0;

CREATE TABLE log_hours AS SELECT * EXCLUDE (kind) FROM log_sums LIMIT 0;
UPDATE log_sums SET slot = slot * 60 WHERE kind = 'hour';

-- Slots below `before` of pieces up to `chunk` are in the table.
CREATE TABLE merged_sums (
  table_name VARCHAR NOT NULL,
  before BIGINT NOT NULL,
  chunk BIGINT NOT NULL
);

-- Kinds are `transaction`, `vital` and, at the first minute of their hour, `op`. What is stored is summed again by the job.
DELETE FROM transaction_sums;
UPDATE rolled_up SET up_to = 0 WHERE table_name = 'transactions';
