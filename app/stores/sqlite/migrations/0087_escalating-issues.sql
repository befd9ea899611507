-- An issue whose rule found far more events than its own past is `escalating` for seven days. A CHECK cannot be changed, and a new table would
-- need new rows everywhere: a new column takes the place of the old one.
DROP INDEX issues_by_last_seen;
ALTER TABLE issues RENAME COLUMN substatus TO earlier_substatus;
-- `new` and `escalating` are stored for ever; they read as `ongoing` after seven days.
ALTER TABLE issues ADD COLUMN substatus TEXT NOT NULL DEFAULT 'ongoing'
  CHECK (substatus IN ('new', 'ongoing', 'escalating', 'regressed'));
-- Those that came back so before this version, and that nobody has touched since, too.
UPDATE issues SET substatus = CASE
  WHEN earlier_substatus = 'ongoing' AND status = 'unresolved' AND EXISTS (
    SELECT 1 FROM issue_activity AS a
    WHERE a.issue_id = issues.id AND a.kind = 'reopened' AND a.at = issues.status_changed_at AND a.data ->> 'escalation' IS NOT NULL
  ) THEN 'escalating'
  ELSE earlier_substatus
END;
ALTER TABLE issues DROP COLUMN earlier_substatus;
CREATE INDEX issues_by_last_seen ON issues (
  last_seen_at, id, project_id, status, substatus, level, is_unhandled, first_seen_at, status_changed_at
);
