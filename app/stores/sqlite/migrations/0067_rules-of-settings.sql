-- Of the outbox: a rule tells what comes after this position.
ALTER TABLE alert_rules ADD COLUMN after_position INTEGER NOT NULL DEFAULT 0;

-- What the settings of projects told becomes alert rules. The two readers of the outbox may be at different positions: rules that were there go on at
-- theirs, and rules of settings at that of the settings. So nothing is told twice, and nothing is left out.
UPDATE alert_rules SET after_position = ifnull((SELECT position FROM outbox_readers WHERE reader = 'alerts'), 0);
INSERT OR IGNORE INTO outbox_readers (reader, position)
SELECT 'alerts', position FROM outbox_readers WHERE reader = 'notifications';
UPDATE outbox_readers
SET position = min(position, ifnull((SELECT position FROM outbox_readers WHERE reader = 'notifications'), position))
WHERE reader = 'alerts';

-- Settings that nobody had changed told the owner of everything.
INSERT INTO notification_settings (project_id, transitions, emails)
SELECT id, '["new","regressed"]', NULL FROM projects WHERE id NOT IN (SELECT project_id FROM notification_settings);

INSERT INTO alert_rules (name, project_ids, triggers, match, conditions, actions, frequency_minutes, is_enabled, is_primed,
  created_at, changed_at, after_position)
SELECT
  CASE WHEN has_new AND has_back THEN 'New and returning issues of ' WHEN has_new THEN 'New issues of ' ELSE 'Returning issues of ' END || slug,
  json_array(id),
  CASE
    WHEN has_new AND has_back THEN '[{"kind":"new"},{"kind":"regressed"},{"kind":"unarchived"},{"kind":"escalating"}]'
    WHEN has_new THEN '[{"kind":"new"}]'
    ELSE '[{"kind":"regressed"},{"kind":"unarchived"},{"kind":"escalating"}]'
  END,
  'all', '[]', '[{"kind":"recipients"}]', 0, 1, 0,
  CAST(unixepoch() AS INTEGER) * 1000, CAST(unixepoch() AS INTEGER) * 1000,
  ifnull((SELECT position FROM outbox_readers WHERE reader = 'notifications'), 0)
FROM (
  SELECT p.id, p.slug,
    EXISTS (SELECT 1 FROM json_each(s.transitions) WHERE value = 'new') AS has_new,
    EXISTS (SELECT 1 FROM json_each(s.transitions) WHERE value = 'regressed') AS has_back
  FROM projects AS p JOIN notification_settings AS s ON s.project_id = p.id
)
WHERE has_new OR has_back
ORDER BY id;

ALTER TABLE notification_settings DROP COLUMN transitions;
