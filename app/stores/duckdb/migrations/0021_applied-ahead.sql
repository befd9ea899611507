-- JSON: what is there of records beyond the position (AppliedAhead in app/stores/events/event-log.ts). Null: nothing.
ALTER TABLE applied_positions ADD COLUMN ahead VARCHAR;
