-- Sessions, counted: an update of one session a row, or so many that an SDK counted together. Those from before stay items.
CREATE TABLE sessions (
  ordinal BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  -- Beginning of the minute.
  started_at BIGINT NOT NULL,
  release VARCHAR NOT NULL,
  environment VARCHAR,
  status VARCHAR NOT NULL,
  quantity BIGINT NOT NULL,
  is_initial BOOLEAN NOT NULL,
  is_errored BOOLEAN NOT NULL,
  session_id UUID,
  user_id UUID,
  identity UUID,
  identity_ordinal BIGINT
);

-- As item_identity_filters.
CREATE TABLE session_identity_filters (
  segment BIGINT NOT NULL,
  bits BLOB NOT NULL
);
