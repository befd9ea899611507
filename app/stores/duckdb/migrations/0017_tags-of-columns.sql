-- Events are summed again: their tags that are columns are counted, too. See app/stores/duckdb/event-tags.ts.
DELETE FROM event_tags;
UPDATE rolled_up SET up_to = 0 WHERE table_name = 'events';
