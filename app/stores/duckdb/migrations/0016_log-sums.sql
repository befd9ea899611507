-- Sums of logs: see app/stores/duckdb/log-sum-sql.ts. Rows are parts that readers add up, as those of spans are.
CREATE TABLE log_sums (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  -- `minute` or `hour`.
  kind VARCHAR NOT NULL,
  -- In minutes or in hours since 1970.
  slot BIGINT NOT NULL,
  severity BIGINT NOT NULL,
  environment VARCHAR,
  -- Null in rows of minutes, also where lines have one.
  service VARCHAR,
  logger VARCHAR,
  release VARCHAR,
  server_address VARCHAR,
  lines BIGINT NOT NULL
);

-- What is stored already is summed by the job.
INSERT INTO rolled_up VALUES ('log-lines', 0);
