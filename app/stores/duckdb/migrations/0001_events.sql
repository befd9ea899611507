-- Rows are written in the order in which they came, and never changed. `ordinal` is the store's own running number:
-- unlike the journal's sequence it is unique, also when the journal's folder was made anew.
CREATE TABLE events (
  ordinal BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  event_id UUID NOT NULL,
  occurred_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  level VARCHAR NOT NULL,
  platform VARCHAR NOT NULL,
  environment VARCHAR,
  release VARCHAR,
  dist VARCHAR,
  transaction_name VARCHAR,
  title VARCHAR NOT NULL,
  user_key VARCHAR,
  -- First half of the MD5 of user_key: counting users compares eight bytes instead of texts.
  user_hash UBIGINT,
  trace_id VARCHAR,
  span_id VARCHAR,
  replay_id VARCHAR,
  sdk_name VARCHAR,
  is_unhandled BOOLEAN NOT NULL,
  -- "\nkey=value\nkey=value\n", empty without tags; see tag-text.ts.
  tags VARCHAR NOT NULL,
  payload_file BIGINT NOT NULL,
  payload_offset BIGINT NOT NULL,
  payload_index INTEGER NOT NULL,
  payload_bytes BIGINT NOT NULL
);

CREATE TABLE items (
  ordinal BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  item_index INTEGER NOT NULL,
  project_id BIGINT NOT NULL,
  type VARCHAR NOT NULL,
  category VARCHAR NOT NULL,
  quantity BIGINT NOT NULL,
  event_id VARCHAR,
  -- First half of the MD5, because these are looked up among all rows.
  event_id_hash UBIGINT,
  trace_id VARCHAR,
  trace_id_hash UBIGINT,
  occurred_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  environment VARCHAR,
  release VARCHAR,
  name VARCHAR,
  expires_at BIGINT,
  payload_file BIGINT NOT NULL,
  payload_offset BIGINT NOT NULL,
  payload_index INTEGER NOT NULL,
  payload_bytes BIGINT NOT NULL
);

-- One row per journal that was ever applied.
CREATE TABLE applied_positions (
  journal_id VARCHAR NOT NULL,
  applied_sequence BIGINT NOT NULL
);

-- Grows by a row when an environment is new or was last noted an hour ago: reading takes the latest.
CREATE TABLE environments (
  project_id BIGINT NOT NULL,
  environment VARCHAR NOT NULL,
  last_seen_at BIGINT NOT NULL
);

-- Filters of full segments of event ids, so that opening need not read every id; see event-id-filter.ts.
CREATE TABLE event_id_filters (
  segment BIGINT NOT NULL,
  bits BLOB NOT NULL
);
