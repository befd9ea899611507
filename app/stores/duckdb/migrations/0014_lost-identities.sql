-- While a lost store is rebuilt: what rows have that are not back yet (app/stores/duckdb/lost-identities.ts). Empty otherwise.
CREATE TABLE lost_identities (
  ordinal BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  identity UUID NOT NULL
);

-- As event_id_filters, for these.
CREATE TABLE lost_identity_filters (
  segment BIGINT NOT NULL,
  bits BLOB NOT NULL
);

-- A rebuild of an earlier version has not noted them before its first row: it begins again.
DELETE FROM events WHERE EXISTS (FROM rebuild WHERE state ->> '$.received' IS NULL
  OR (received_at >= (state ->> '$.received.from')::BIGINT AND received_at < (state ->> '$.received.to')::BIGINT));
DELETE FROM items WHERE EXISTS (FROM rebuild WHERE state ->> '$.received' IS NULL
  OR (received_at >= (state ->> '$.received.from')::BIGINT AND received_at < (state ->> '$.received.to')::BIGINT));
DELETE FROM sessions WHERE EXISTS (FROM rebuild WHERE state ->> '$.received' IS NULL
  OR (received_at >= (state ->> '$.received.from')::BIGINT AND received_at < (state ->> '$.received.to')::BIGINT));
DELETE FROM spans WHERE EXISTS (FROM rebuild WHERE state ->> '$.received' IS NULL
  OR (received_at >= (state ->> '$.received.from')::BIGINT AND received_at < (state ->> '$.received.to')::BIGINT));
DELETE FROM logs WHERE EXISTS (FROM rebuild WHERE state ->> '$.received' IS NULL
  OR (received_at >= (state ->> '$.received.from')::BIGINT AND received_at < (state ->> '$.received.to')::BIGINT));
UPDATE rebuild SET state = json_object(
  'startedAt', (state ->> '$.startedAt')::BIGINT, 'reason', state ->> '$.reason', 'received', state -> '$.received');
