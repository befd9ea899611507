-- When somebody wants no mail about issues (domain/people/quiet-hours.ts). No row: they have no quiet hours.
CREATE TABLE quiet_hours (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Minutes after midnight.
  from_minute INTEGER NOT NULL,
  to_minute INTEGER NOT NULL,
  -- JSON list of days on which they begin; 1 is Monday.
  days TEXT NOT NULL,
  timezone TEXT NOT NULL,
  lets_high_through INTEGER NOT NULL
) STRICT;

-- 1: the message is about an issue that had high priority when it was told.
ALTER TABLE deliveries ADD COLUMN is_high INTEGER NOT NULL DEFAULT 0;
