-- Up to when the rows of a signal were counted as expired, in milliseconds since 1970: a deletion that a crash has cut off counts once.
CREATE TABLE expired_signals (
  signal TEXT PRIMARY KEY,
  up_to INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
