/** Conditions of rules that many teams write, and what each means. */
export const CONDITION_EXAMPLES: ReadonlyArray<readonly [search: string, what: string]> = [
  ["environment:production", "the event is from this environment"],
  ["level:[error, fatal]", "it has one of these levels"],
  ["!level:warning", "it has any level except this one"],
  ["is:unhandled", "nothing in the program caught the error"],
  ["is:unassigned", "the issue has no assignee"],
  ["priority:high", "the issue has this priority"],
  ["transaction:/checkout*", "the transaction begins with this"],
  ["message:timeout", "the message contains this word"],
  ["release:>=2.3", "the version is this one or later"],
  ["plan:enterprise", "a tag that your program sets has this value"],
];
