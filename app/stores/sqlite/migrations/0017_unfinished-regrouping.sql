-- Whether no row of the event store has the ended issue any more. The joins of before may have left some.
ALTER TABLE merged_issues ADD COLUMN is_swept INTEGER NOT NULL DEFAULT 0 CHECK (is_swept IN (0, 1));
CREATE INDEX merged_issues_unswept ON merged_issues (issue_id) WHERE is_swept = 0;

-- Issues of events that were stored before a map that was there could be read.
CREATE TABLE late_issues (
  issue_id INTEGER PRIMARY KEY,
  -- Grows with every such event.
  noted_count INTEGER NOT NULL
) STRICT;

-- Whether only frames that are not the project's own code want it.
ALTER TABLE wanted_source_maps ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0 CHECK (is_foreign IN (0, 1));

-- An issue is first seen once, whatever ended in it: in the oldest row, with what the earliest says.
UPDATE issue_activity SET (at, data) = (
  SELECT earliest.at, earliest.data FROM issue_activity AS earliest
  WHERE earliest.issue_id = issue_activity.issue_id AND earliest.kind = 'first_seen'
  ORDER BY earliest.at, earliest.id LIMIT 1)
WHERE kind = 'first_seen' AND issue_id IN (SELECT target_issue_id FROM merged_issues);
DELETE FROM issue_activity
WHERE kind = 'first_seen' AND issue_id IN (SELECT target_issue_id FROM merged_issues) AND id > (
  SELECT min(oldest.id) FROM issue_activity AS oldest
  WHERE oldest.issue_id = issue_activity.issue_id AND oldest.kind = 'first_seen');
