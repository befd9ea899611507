/** The search with further filters, which must hold for all that it finds. */
export function addToSearch(search: string, ...filters: readonly string[]): string {
  const whole = filters.length > 0 && hasChoice(search) ? `(${search})` : search;
  return [whole, ...filters].filter(Boolean).join(" ");
}

export function hasFilter(search: string, word: string): boolean {
  return ` ${search} `.includes(` ${word} `);
}

/** Whether OR stands in it, outside of quotes and parentheses. */
function hasChoice(search: string): boolean {
  let outer = search.replace(/"(?:\\.|[^"\\])*"/g, '""');
  for (let before = ""; before !== outer; ) {
    before = outer;
    outer = outer.replace(/\([^()]*\)/g, "()");
  }
  return /(?:^|\s)OR(?:\s|$)/.test(outer);
}
