-- When the provider of a session last said who it is, and when it last confirmed it by `renewal_token`: a secret of the provider that
-- asks without the person. Null: a session that began with a password; of the token, also a provider that gives none.
ALTER TABLE sessions ADD COLUMN checked_at INTEGER;
ALTER TABLE sessions ADD COLUMN renewed_at INTEGER;
ALTER TABLE sessions ADD COLUMN renewal_token TEXT;
UPDATE sessions SET checked_at = created_at, renewed_at = created_at WHERE provider_id IS NOT NULL;

-- After so many hours a session asks its provider again. After so many days without the provider, personal tokens are refused.
ALTER TABLE organization ADD COLUMN provider_session_hours INTEGER NOT NULL DEFAULT 8;
ALTER TABLE organization ADD COLUMN provider_token_days INTEGER NOT NULL DEFAULT 14;
-- Since when only owners sign in with a password; null: everybody may. Members have the days above from then on.
ALTER TABLE organization ADD COLUMN provider_required_at INTEGER;
UPDATE organization SET provider_required_at = unixepoch() * 1000 WHERE requires_provider = 1;
