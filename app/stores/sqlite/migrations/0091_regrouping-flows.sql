-- From which issue events of a request go to which: as far as it is known when it is asked for, and as it turns out. Both say so until it has ended.
CREATE TABLE regrouping_flows (
  request_issue_id INTEGER NOT NULL REFERENCES regrouping_requests (issue_id) ON UPDATE CASCADE ON DELETE CASCADE,
  from_issue_id INTEGER NOT NULL,
  to_issue_id INTEGER NOT NULL,
  PRIMARY KEY (request_issue_id, from_issue_id, to_issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX regrouping_flows_by_from ON regrouping_flows (from_issue_id);
CREATE INDEX regrouping_flows_by_to ON regrouping_flows (to_issue_id);
