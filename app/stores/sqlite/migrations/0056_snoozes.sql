-- Until when an issue is out of somebody's own lists and mail. Past: it is not.
ALTER TABLE issue_people ADD COLUMN snoozed_until INTEGER;
CREATE INDEX issue_people_by_snooze ON issue_people (user_id, snoozed_until) WHERE snoozed_until IS NOT NULL;
