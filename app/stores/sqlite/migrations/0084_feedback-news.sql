-- Of `feedback` alone: what a user said, which is about no issue, or not yet.
ALTER TABLE outbox ADD COLUMN feedback_id INTEGER;

-- 1: the addresses and channels of the project hear of new feedback, too.
ALTER TABLE notification_settings ADD COLUMN tells_feedback INTEGER NOT NULL DEFAULT 0;
