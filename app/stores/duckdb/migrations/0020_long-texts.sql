-- Texts of rows that are too long to lie in them: see app/stores/events/bounded-row.ts. Rows say how many bytes of them there are; null: none.
ALTER TABLE spans ADD COLUMN long_bytes BIGINT;
ALTER TABLE logs ADD COLUMN long_bytes BIGINT;

-- They are found by the row, and never searched.
CREATE TABLE long_texts (
  table_name VARCHAR NOT NULL,
  -- Of the row.
  ordinal BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  part INTEGER NOT NULL,
  text VARCHAR NOT NULL
);
