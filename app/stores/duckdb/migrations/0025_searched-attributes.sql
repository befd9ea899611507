-- On which days (since 1970) people searched an attribute of spans: see app/stores/duckdb/hot-attributes.ts.
CREATE TABLE searched_attributes (
  project_id BIGINT NOT NULL,
  key VARCHAR NOT NULL,
  day BIGINT NOT NULL
);
