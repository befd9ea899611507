-- Events below this ordinal lie in the file in the order of their issues, piece by piece; see settle-events.ts.
CREATE TABLE settled_events (
  up_to BIGINT NOT NULL
);
INSERT INTO settled_events (up_to) VALUES (0);
