-- JSON: who is on call for the team, week by week, with exceptions (domain/people/rota.ts). Null: it has no rota.
ALTER TABLE teams ADD COLUMN rota TEXT;
