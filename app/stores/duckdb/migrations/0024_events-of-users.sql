-- Events are summed again, with the places of the events of each user: see app/stores/duckdb/find-summed-issues.ts.
CREATE TABLE event_users (
  -- As in event_tags.
  chunk BIGINT NOT NULL,
  version BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  -- 48 bits of the MD5 of `user_key`, and in a row of its own of `user_name`.
  user_hash UBIGINT NOT NULL,
  place USMALLINT NOT NULL
);
DELETE FROM event_tags;
DELETE FROM event_issues;
DELETE FROM event_pieces;
UPDATE rolled_up SET up_to = 0 WHERE table_name = 'events';
