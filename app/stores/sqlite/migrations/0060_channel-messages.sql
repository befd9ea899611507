-- Messages that channels have, for as long as later changes of their issues are told there.
CREATE TABLE channel_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  -- As the other side names it; empty: it gives no name.
  ref TEXT NOT NULL,
  -- Of the delivery that made it.
  key TEXT NOT NULL,
  items TEXT NOT NULL,
  more TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  -- The newest entry of issue_activity that was told.
  told_activity INTEGER NOT NULL,
  -- When its issues have changed: when this is told, or tried again.
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX channel_messages_by_key ON channel_messages (channel_id, key);
CREATE INDEX channel_messages_due ON channel_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX channel_messages_by_age ON channel_messages (channel_id, sent_at);
CREATE INDEX channel_messages_by_project ON channel_messages (project_id);

CREATE TABLE channel_message_issues (
  issue_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL REFERENCES channel_messages (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_message_issues_by_message ON channel_message_issues (message_id);
