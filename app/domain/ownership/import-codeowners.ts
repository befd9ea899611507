/** The result of reading a CODEOWNERS file: the rules, and the lines that became none. */
export interface ImportedCodeowners {
  /** `codeowners:` rules, one a line. */
  lines: string[];
  /** Lines of the file, from 1, that say something else than rules can. */
  passedOver: Array<{ line: number; reason: string }>;
}

/** `@acme/billing` becomes the team `#billing`; e-mail addresses stay. Names of people on a code host are nobody here. */
export function importCodeowners(text: string): ImportedCodeowners {
  const lines: string[] = [];
  const passedOver: ImportedCodeowners["passedOver"] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const pass = (reason: string) => passedOver.push({ line: index + 1, reason });
    const line = raw.replace(/(^|\s)#.*$/, "").trim();
    if (line === "") continue;
    const [pattern = "", ...names] = line.match(/(?:\\.|\S)+/g) ?? [];
    if (/^\^?\[/.test(pattern)) pass("sections are not read");
    else if (pattern.startsWith("!")) pass("exceptions with ! are not read");
    else if (/[[\]{}]/.test(pattern)) pass("patterns with brackets are not read");
    else {
      const owners = names.map(toOwner);
      const unknown = names.filter((_, at) => owners[at] === null);
      const known = owners.filter((owner) => owner !== null);
      if (unknown.length > 0)
        pass(`${unknown.join(", ")} ${unknown.length === 1 ? "has" : "have"} no e-mail address or team`);
      // Without its owners, the rule would mean that nobody owns the files.
      if (known.length === 0 && names.length > 0) continue;
      const plain = pattern.replace(/\\(.)/g, "$1");
      const quoted = /[\s"]/.test(plain) ? `"${plain.replace(/["\\]/g, "\\$&")}"` : plain;
      lines.push([`codeowners:${quoted}`, ...known].join(" "));
    }
  }
  return { lines, passedOver };
}

function toOwner(name: string): string | null {
  const team = /^@[^/\s]+\/(?:[^/\s]+\/)*([a-z0-9_-]+)$/i.exec(name)?.[1];
  if (team !== undefined) return `#${team.toLowerCase()}`;
  return /^[^@\s]+@[^@\s]+$/.test(name) ? name : null;
}

/** The text with the imported rules in the place of all that were imported before: ahead of the others, which override them. */
export function joinCodeowners(text: string, lines: readonly string[]): string {
  const own = text.split(/\r\n|\r|\n/).filter((line) => !/^\s*codeowners:/.test(line));
  return [...lines, ...own].join("\n");
}
