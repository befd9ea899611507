-- JSON array of numbers: the projects of the release that were deployed; null: all of them.
ALTER TABLE deploys ADD COLUMN project_ids TEXT;
