-- At most one row: every payload file of earlier versions was looked through for items that are rows now (app/jobs/old-items).
CREATE TABLE turned_items (
  turned_at BIGINT NOT NULL
);
