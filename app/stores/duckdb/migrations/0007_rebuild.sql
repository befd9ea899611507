-- At most one row: how far the rows have been made from the row log, as JSON (app/stores/events/event-rebuild.ts). No row: they are
-- all there.
CREATE TABLE rebuild (
  state VARCHAR NOT NULL
);
