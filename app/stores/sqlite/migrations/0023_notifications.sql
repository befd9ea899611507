-- What happened to issues, for readers that each go through it at their own pace.
CREATE TABLE outbox (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  transition TEXT NOT NULL,
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  -- When the event was received, in ms since 1970.
  at INTEGER NOT NULL,
  release TEXT
) STRICT;

CREATE TABLE outbox_readers (
  reader TEXT PRIMARY KEY,
  -- Of the last entry that the reader has passed.
  position INTEGER NOT NULL,
  -- Entries that were deleted before the reader came to them.
  lost INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE notification_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  -- JSON list of words.
  transitions TEXT NOT NULL,
  -- JSON list of addresses; null: the owner's.
  emails TEXT,
  -- JSON object (domain/notification.ts); null: none.
  webhook TEXT
) STRICT;

-- One row: where somebody signed in last.
CREATE TABLE sign_in_origin (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  origin TEXT NOT NULL
) STRICT;

-- The queue of messages, and those that were given up.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  project_id INTEGER NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  -- JSON list of the issues that the message names, and JSON object of how many it only counts.
  items TEXT NOT NULL,
  more TEXT NOT NULL,
  -- 0: the message still collects what happens.
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  -- An attempt is under way, or was cut off by a crash.
  is_claimed INTEGER NOT NULL DEFAULT 0,
  -- Null: it waits.
  died_at INTEGER,
  failure TEXT
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE died_at IS NULL;
CREATE INDEX deliveries_by_target ON deliveries (project_id, channel, address, id) WHERE died_at IS NULL;
CREATE INDEX dead_deliveries ON deliveries (project_id, died_at) WHERE died_at IS NOT NULL;

-- What became of the messages to each target.
CREATE TABLE delivery_channels (
  project_id INTEGER NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  -- Until then the target gets no further message.
  next_message_at INTEGER,
  last_delivered_at INTEGER,
  last_answer TEXT,
  last_failed_at INTEGER,
  last_failure TEXT,
  PRIMARY KEY (project_id, channel, address)
) STRICT, WITHOUT ROWID;
