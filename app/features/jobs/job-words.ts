const WORDS: Record<string, { title: string; what: string }> = {
  retention: {
    title: "Retention",
    what: "Deletes events, their payloads and counts that are older than the retention, every hour.",
  },
  "make-room": {
    title: "Make room",
    what: "Measures the data folder, and deletes its oldest days before it would be full.",
  },
  "clean-up": {
    title: "Clean-up",
    what: "Deletes parts of uploads that were never finished and sessions that have ended, every hour.",
  },
  rebuild: {
    title: "Rebuild",
    what: "Rebuilds the event database from the payload files when it was lost or damaged.",
  },
  "log-old-rows": {
    title: "Log old rows",
    what: "Writes the rows that earlier versions have stored into their payload files, once after an upgrade.",
  },
  "old-items": {
    title: "Old spans and logs",
    what: "Makes rows of spans, logs and transactions that earlier versions have stored whole, once after an upgrade.",
  },
  "move-days": {
    title: "Move days",
    what: "Moves spans, transactions and logs from the event database and the payload files into files of their day, where they take a third of the room: each time that 100,000 or more have come, and the rest when the day is over. Checks each of these files once a day.",
  },
  deletions: {
    title: "Deletions",
    what: "Deletes what people asked for: rows at once, and within a day from the payload files that hold it.",
  },
  damage: {
    title: "Damage",
    what: "Counts events and items as damaged whose payloads could not be read.",
  },
  compaction: {
    title: "Compaction",
    what: "Rewrites the oldest rows of events, clustered by issue, while there is little else to do.",
  },
  "roll-up": {
    title: "Roll-up",
    what: "Sums spans by the minute, traces and values of attributes, so that pages need not read every span.",
  },
  reprocessing: {
    title: "Reprocessing",
    what: "Maps stored events to their sources once the source maps they missed are uploaded.",
  },
  "route-alerts": {
    title: "Route alerts",
    what: "Makes messages of what happened to issues, by the alert rules that it fits.",
  },
  "watch-issues": {
    title: "Watch issues",
    what: "Looks every 15 seconds for issues that have reached a number of an alert rule, or became high in priority.",
  },
  escalate: {
    title: "Escalate",
    what: "Tells who is next by the steps of an alert rule, while nobody has acknowledged the issue.",
  },
  "report-noise": {
    title: "Report noise",
    what: "Measures how often alert rules fire, and tells of those that fire too often by mail on Mondays.",
  },
  "watch-metrics": {
    title: "Watch metrics",
    what: "Evaluates metric monitors each minute, and opens or resolves their issues.",
  },
  "end-archives": {
    title: "End archives",
    what: "Brings archived issues back once the time for which they were archived is over, and sets the bounds of the day for those that wait until they escalate.",
  },
  "link-feedback": {
    title: "Link feedback",
    what: "Finds the issue of what users wrote about an event, as soon as the event is stored.",
  },
  "list-earlier-feedback": {
    title: "List earlier feedback",
    what: "Brings what users wrote before there was an inbox into it, once after an upgrade.",
  },
  "check-addresses": {
    title: "Check addresses",
    what: "Asks the addresses of uptime monitors that are due, and opens or resolves their issues.",
  },
  "watch-locations": {
    title: "Watch locations",
    what: "Marks locations that check addresses and are not heard of, so that what they saw last decides nothing.",
  },
  "watch-monitors": {
    title: "Watch monitors",
    what: "Looks for scheduled tasks that are late, were missed or ran too long, and opens or resolves their issues.",
  },
  "report-findings": {
    title: "Report findings",
    what: "Sends what Culprit itself has found out, such as a missed run, on the way that events of SDKs take.",
  },
  "assign-owners": {
    title: "Assign owners",
    what: "Assigns new issues, and those that come back, by the ownership rules of their project.",
  },
  "suggest-owners": {
    title: "Suggest owners",
    what: "Finds who could work on issues: owners by rule, authors of suspect commits, and who spoke last.",
  },
  notify: {
    title: "Notify",
    what: "Writes messages about new issues and issues that come back for everybody who gets those of the project.",
  },
  deliver: { title: "Deliver", what: "Sends the messages that are due, by e-mail and to channels." },
  "follow-up": { title: "Follow up", what: "Tells channels what became of issues that they were told of." },
};

/** The words for a job. An unknown job, as of a newer version, is called by its name. */
export function wordsOfJob(name: string): { title: string; what: string } {
  return WORDS[name] ?? { title: name, what: "" };
}

export function sayDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  return `${Math.round(durationMs / 60_000)} min`;
}
