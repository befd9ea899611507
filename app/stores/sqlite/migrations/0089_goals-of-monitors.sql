-- What one look of a metric monitor was narrowed to, and the lines that the goal of the project made then (domain/metrics/metric-monitor.ts). NULL: nothing, and the monitor's own.
ALTER TABLE metric_evaluations ADD COLUMN release TEXT;
ALTER TABLE metric_evaluations ADD COLUMN critical_line REAL;
ALTER TABLE metric_evaluations ADD COLUMN warning_line REAL;
