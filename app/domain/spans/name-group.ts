/** Longer names differ in what comes after as well. */
const MAX_READ = 1_000;
const MAX_GROUP = 200;
/** Names repeat: most groups are looked up. */
const MAX_REMEMBERED = 2_000;

const remembered = new Map<string, string>();

/**
 * The name of a span without what changes from one to the next: ids, numbers, quoted values, the query of a URL, lists of
 * parameters. Spans are grouped by it. At most 200 characters.
 */
export function toNameGroup(name: string): string {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const group = computeGroup(name.slice(0, MAX_READ)).slice(0, MAX_GROUP).toWellFormed();
  if (name.length > MAX_READ) return group;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, group);
  return group;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const BEFORE_HOST = /:\/\/$|^[A-Z]{3,7} $/;
const SQL = /^\s*(?:select|insert|update|delete|with|create|alter|drop|replace|merge|begin|commit|call|exec)\b/i;

function computeGroup(name: string): string {
  return SQL.test(name) ? groupSql(name) : groupText(name);
}

/** Literals and placeholders become `?`, lists of them `(?)`. */
function groupSql(sql: string): string {
  return sql
    .replace(/--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ")
    .replace(/'(?:[^']|'')*'?/g, "?")
    .replace(/\$\d+|%s|%\([a-z_]\w*\)s|[:@][a-z_]\w*/gi, "?")
    .replace(/\b\d+(?:\.\d+)?\b/g, "?")
    .replace(/\(\s*\?(?:\s*,\s*\?)*\s*\)(?:\s*,\s*\(\s*\?(?:\s*,\s*\?)*\s*\))*/g, "(?)")
    .replace(/\s+/g, " ")
    .trim();
}

/** The address of a host is its name: `GET 127.0.0.1` and `http://10.0.0.7/cart` keep it. */
function keepHost(figure: string, at: number, name: string): string {
  return IPV4.test(figure) && BEFORE_HOST.test(name.slice(0, at)) ? figure : "?";
}

function groupText(name: string): string {
  return name
    .replace(/(:\/\/[^\s?#]*|\s\/[^\s?#]*|^\/[^\s?#]*)[?#]\S*/g, "$1")
    .replace(/"[^"\n]*"|'[^'\n]*'/g, "?")
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "?")
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "?")
    .replace(/(?<![a-z_.])\d+(?:\.\d+)*(?![a-z_])/gi, keepHost)
    .replace(/\s+/g, " ")
    .trim();
}
