-- Which project takes what a service of OpenTelemetry sends by a key of this one: JSON, a list of {service, projectId}. The first that fits
-- decides.
ALTER TABLE projects ADD COLUMN service_rules TEXT NOT NULL DEFAULT '[]';
