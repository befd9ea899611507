-- Somebody has said that the pings of a monitor are right as they come: nobody is asked about its time zone any more.
ALTER TABLE monitors ADD COLUMN keeps_zone INTEGER NOT NULL DEFAULT 0;
