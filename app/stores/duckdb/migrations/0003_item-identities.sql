-- What an item is known by when it is sent again, and its place among the items that have such an identity: the filters
-- count those alone, however many items without one come in between; see identity-index.ts. Items from before stay
-- without.
ALTER TABLE items ADD COLUMN identity UUID;
ALTER TABLE items ADD COLUMN identity_ordinal BIGINT;

-- As event_id_filters, for items.
CREATE TABLE item_identity_filters (
  segment BIGINT NOT NULL,
  bits BLOB NOT NULL
);
