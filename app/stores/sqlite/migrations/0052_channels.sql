-- Places of the organization that messages go to.
CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- JSON objects of texts (domain/channels): what may be shown, and what may not.
  settings TEXT NOT NULL,
  secrets TEXT NOT NULL,
  -- 1: all projects may use it; 0: those in channel_projects.
  serves_all INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX channels_by_name ON channels (name COLLATE NOCASE);

CREATE TABLE channel_projects (
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (channel_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_projects_by_project ON channel_projects (project_id);

-- The channels that hear of a project by its settings.
CREATE TABLE notification_channels (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notification_channels_by_channel ON notification_channels (channel_id);

-- The one webhook of a project becomes a channel of that project. It takes the number of the project, which is free.
INSERT INTO channels (id, kind, name, settings, secrets, serves_all, created_at)
SELECT p.id,
  CASE s.webhook ->> 'form'
    WHEN 'discord' THEN 'discord'
    WHEN 'slack' THEN CASE WHEN s.webhook ->> 'url' LIKE 'https://hooks.slack%' THEN 'slack' ELSE 'mattermost' END
    ELSE 'webhook'
  END,
  'Webhook of ' || p.slug,
  '{}',
  CASE s.webhook ->> 'form'
    WHEN 'json' THEN json_object('url', s.webhook ->> 'url', 'secret', s.webhook ->> 'secret')
    ELSE json_object('url', s.webhook ->> 'url')
  END,
  0,
  CAST(unixepoch() AS INTEGER) * 1000
FROM notification_settings AS s JOIN projects AS p ON p.id = s.project_id WHERE s.webhook IS NOT NULL;
INSERT INTO channel_projects (channel_id, project_id) SELECT id, id FROM channels;
INSERT INTO notification_channels (project_id, channel_id) SELECT id, id FROM channels;

-- What waits for a webhook waits for its channel.
DELETE FROM deliveries WHERE channel = 'webhook' AND project_id NOT IN (SELECT id FROM channels);
DELETE FROM delivery_channels WHERE channel = 'webhook' AND project_id NOT IN (SELECT id FROM channels);
UPDATE deliveries SET channel = 'channel', address = CAST(project_id AS TEXT) WHERE channel = 'webhook';
UPDATE delivery_channels SET channel = 'channel', address = CAST(project_id AS TEXT) WHERE channel = 'webhook';

ALTER TABLE notification_settings DROP COLUMN webhook;
