-- One row: by which push services know this server. Browsers subscribe with the public key.
CREATE TABLE push_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL
) STRICT;

-- Browsers in which people want to be told (stores/state/push-store.ts).
CREATE TABLE push_subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  browser TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_delivered_at INTEGER,
  last_failed_at INTEGER,
  last_failure TEXT
) STRICT;
CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id);

-- What reaches whom how: JSON (domain/push/push-subscription.ts). No row: everything, every way.
CREATE TABLE personal_reach (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  reach TEXT NOT NULL
) STRICT;
