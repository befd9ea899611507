-- 1: it is told what other targets cannot be told. At most one channel.
ALTER TABLE channels ADD COLUMN is_fallback INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX fallback_channel ON channels (is_fallback) WHERE is_fallback = 1;

-- 1: the fallback channel was told what the message says.
ALTER TABLE deliveries ADD COLUMN is_forwarded INTEGER NOT NULL DEFAULT 0;
-- Of a message that was given up: somebody dropped it, in ms since 1970. It can be brought back for a while.
ALTER TABLE deliveries ADD COLUMN dropped_at INTEGER;

-- What the fallback channel was told, so that several targets that fail tell it once.
CREATE TABLE fallback_news (
  issue_id INTEGER NOT NULL,
  transition TEXT NOT NULL,
  at INTEGER NOT NULL,
  told_at INTEGER NOT NULL,
  PRIMARY KEY (issue_id, transition, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX fallback_news_by_age ON fallback_news (told_at);
