-- Null: it never expires.
ALTER TABLE api_tokens ADD COLUMN expires_at INTEGER;
-- A revoked token stays for a while, so that whoever still uses it hears why it is refused.
ALTER TABLE api_tokens ADD COLUMN revoked_at INTEGER;
-- The address of the client that used it last.
ALTER TABLE api_tokens ADD COLUMN last_used_from TEXT;
