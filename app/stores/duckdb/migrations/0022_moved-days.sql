-- Days of spans and logs whose rows lie in Parquet files: see app/stores/duckdb/moved-days.ts. The files are the truth; this remembers what
-- they say of themselves, so that opening the store need not read them all.
CREATE TABLE moved_days (
  name VARCHAR NOT NULL,
  -- As in the file: JSON.
  head VARCHAR NOT NULL,
  -- The row log has none of its rows any more.
  is_stripped BOOLEAN NOT NULL
);

-- Rows of these files that are deleted, until the files are written again without them.
CREATE TABLE hidden_rows (
  table_name VARCHAR NOT NULL,
  ordinal BIGINT NOT NULL
);
CREATE TABLE hidden_projects (
  project_id BIGINT NOT NULL
);
