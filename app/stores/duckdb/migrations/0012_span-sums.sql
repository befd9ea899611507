-- Sums of spans and logs: see app/stores/duckdb/roll-up.ts. Rows are parts that readers add up. `chunk` is the ordinal up to which the piece
-- went that a part is of, and `received_day` the day on which its rows came, in days since 1970.
CREATE TABLE span_minutes (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  -- In minutes since 1970.
  minute BIGINT NOT NULL,
  op VARCHAR,
  name_group VARCHAR,
  segment VARCHAR,
  release VARCHAR,
  environment VARCHAR,
  status VARCHAR,
  is_segment BOOLEAN NOT NULL,
  spans BIGINT NOT NULL,
  weight DOUBLE NOT NULL,
  total_us DOUBLE NOT NULL,
  -- A histogram: see app/domain/spans/duration-histogram.ts.
  buckets SMALLINT[] NOT NULL,
  weights DOUBLE[] NOT NULL
);

CREATE TABLE trace_parts (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  trace_id UUID NOT NULL,
  -- Where its spans lie.
  first_ordinal BIGINT NOT NULL,
  last_ordinal BIGINT NOT NULL,
  first_us BIGINT NOT NULL,
  last_us BIGINT NOT NULL,
  spans BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  root_us BIGINT,
  root_name VARCHAR,
  root_op VARCHAR,
  services VARCHAR[]
);

CREATE TABLE attribute_values (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  signal VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  received_day BIGINT NOT NULL,
  -- In hours since 1970.
  hour BIGINT NOT NULL,
  key VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  count BIGINT NOT NULL
);

-- Rows of the table below this ordinal are summed.
CREATE TABLE rolled_up (
  table_name VARCHAR NOT NULL,
  up_to BIGINT NOT NULL
);
INSERT INTO rolled_up VALUES ('spans', 0), ('logs', 0);
