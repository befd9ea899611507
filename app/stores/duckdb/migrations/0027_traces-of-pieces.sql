-- Of the traces that events of a piece name: see traces-of-pieces.ts. NULL: not known yet.
ALTER TABLE event_pieces ADD COLUMN traces BIT;
