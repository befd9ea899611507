-- JSON list of the projects that somebody is limited to; null: all of the organization.
ALTER TABLE users ADD COLUMN project_ids TEXT;
