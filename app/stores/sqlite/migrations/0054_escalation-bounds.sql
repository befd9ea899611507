-- An issue may be archived until it escalates (kind `escalates`): JSON of its EscalationBounds, and the day since 1970 (UTC) they are for.
ALTER TABLE issue_archives ADD COLUMN bounds TEXT;
ALTER TABLE issue_archives ADD COLUMN bounds_day INTEGER;
CREATE INDEX issue_archives_bounds ON issue_archives (bounds_day) WHERE bounds_day IS NOT NULL;
