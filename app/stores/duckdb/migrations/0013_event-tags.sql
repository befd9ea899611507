-- Which events have a tag: see app/stores/duckdb/event-tags.ts. A row is of one piece of events, as `chunk` of the sums is.
CREATE TABLE event_tags (
  chunk BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  key VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  -- How many of these events are stored.
  events BIGINT NOT NULL,
  -- Of the events that were summed. Those of events that were deleted since then stay, and name nothing: no ordinal is used twice.
  ordinals BIGINT[] NOT NULL
);
INSERT INTO rolled_up VALUES ('events', 0);
