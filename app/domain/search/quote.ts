/** Text that is read as it is: a value, or a key. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The text inside quotes. A backslash escapes a quote or another backslash, and is a backslash before anything else. */
export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(["\\])/g, "$1");
}
