-- Versions before the inbox have stored feedback that it does not list. A job looks for it once; a new folder has none.
CREATE TABLE earlier_feedback (
  -- 1: all of it was looked through.
  is_listed INTEGER NOT NULL
) STRICT;
INSERT INTO earlier_feedback (is_listed) SELECT NOT EXISTS (SELECT 1 FROM projects);
