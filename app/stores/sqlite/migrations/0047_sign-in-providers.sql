-- Where people of the organization may sign in instead of giving a password here. `rules`: JSON, what their claims give them.
CREATE TABLE sign_in_providers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  scopes TEXT NOT NULL,
  rules TEXT NOT NULL,
  is_enabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

-- Who somebody is at a provider. `is_managed` 1: the sign-in there made the account, and its claims decide role and teams.
-- `given_teams`: JSON list of the teams that they gave last. `is_ended` 1: they gave nothing any more, which removed the member.
CREATE TABLE provider_identities (
  provider_id INTEGER NOT NULL REFERENCES sign_in_providers (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_managed INTEGER NOT NULL,
  is_ended INTEGER NOT NULL DEFAULT 0,
  given_teams TEXT NOT NULL DEFAULT '[]',
  used_at INTEGER NOT NULL,
  PRIMARY KEY (provider_id, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX provider_identities_by_user ON provider_identities (user_id, provider_id);

-- Null: begun with a password. A session of a provider ends with the provider, and is not extended.
ALTER TABLE sessions ADD COLUMN provider_id INTEGER REFERENCES sign_in_providers (id) ON DELETE CASCADE;

-- 1: only owners sign in with a password.
ALTER TABLE organization ADD COLUMN requires_provider INTEGER NOT NULL DEFAULT 0;
