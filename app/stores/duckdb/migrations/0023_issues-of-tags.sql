-- Events are summed again, so that a search finds issues without reading events: see app/stores/duckdb/event-tags.ts and find-summed-issues.ts.
DROP TABLE event_tags;
CREATE TABLE event_tags (
  -- The piece of events, as `chunk` of the sums is.
  chunk BIGINT NOT NULL,
  -- That of the piece in event_pieces when this row was written.
  version BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  -- 'value': of a tag that is no column. 'column': of a column of events. 'copied': of a tag that is a column too, as the texts of tags have it.
  -- 'key': a tag that is no column, with whatever value.
  kind VARCHAR NOT NULL,
  -- md5_number_lower(key): to find the rows of a key, numbers are compared faster than texts.
  key_hash UBIGINT NOT NULL,
  key VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  -- How many of these events are stored.
  events BIGINT NOT NULL,
  -- Of 'value', the events that were summed. Those of events that were deleted since then stay, and name nothing: no ordinal is used twice.
  ordinals BIGINT[] NOT NULL,
  -- Of all but 'column', the places of the events in their piece, as a list or, where they are many, as bits.
  places USMALLINT[],
  bits BIT
);
-- The events of an issue and environment lie side by side in the order of places. Places are of the whole piece, from zero.
CREATE TABLE event_issues (
  chunk BIGINT NOT NULL,
  version BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  environment VARCHAR,
  first_place BIGINT NOT NULL,
  events BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);
-- A row for each piece.
CREATE TABLE event_pieces (
  -- Ordinals: the first one, and the one behind the last.
  start BIGINT NOT NULL,
  chunk BIGINT NOT NULL,
  -- Grows when the piece is summed again.
  version BIGINT NOT NULL,
  events BIGINT NOT NULL,
  -- Its rows of event_issues.
  issues BIGINT NOT NULL,
  -- Since when its places are wrong, because single events were deleted or have moved to other issues. Milliseconds since 1970.
  stale_since BIGINT
);
UPDATE rolled_up SET up_to = 0 WHERE table_name = 'events';
