-- The rule covers the projects of this team, also those that come later; project_ids is what it covers once the team is gone.
ALTER TABLE alert_rules ADD COLUMN team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL;
