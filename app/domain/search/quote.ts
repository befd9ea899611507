/** Text that is read as it is: a value, or a key. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Of a text in quotes. A backslash is one, except before a quote or another backslash. */
export function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(["\\])/g, "$1");
}
