const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** A generated file with its map, as bundlers write them: one line of code, the sources in the map. */
export interface GeneratedBundle {
  code: string;
  map: string;
  /** Columns in the one line, 1-based, at which functions call another. */
  callColumns: number[];
}

const FUNCTIONS_PER_SOURCE = 50;

/** Makes a bundle whose map has about so many bytes, half of them sources, a third mappings. The same every time. */
export function makeSourceMap(mapBytes: number): GeneratedBundle {
  const code: string[] = [];
  const mappings: string[] = [];
  const names: string[] = [];
  const sources: string[] = [];
  const sourcesContent: string[] = [];
  const callColumns: number[] = [];
  let column = 0;
  let lastColumn = 0;
  let last = { source: 0, line: 0, column: 0, name: 0 };
  let bytes = 0;
  let count = 0;
  const put = (text: string, original: { line: number; column: number } | null, name: number | null): void => {
    if (original !== null) {
      let segment = vlq(column - lastColumn) + vlq(sources.length - last.source);
      segment += vlq(original.line - last.line) + vlq(original.column - last.column);
      if (name !== null) segment += vlq(name - last.name);
      mappings.push(segment);
      bytes += segment.length + 1;
      last = { source: sources.length, ...original, name: name ?? last.name };
      lastColumn = column;
    }
    code.push(text);
    column += text.length;
  };
  while (bytes < mapBytes) {
    const lines: string[] = [];
    for (let index = 0; index < FUNCTIONS_PER_SOURCE; index++) {
      const name = `computeShippingOf${count++}`;
      names.push(name);
      const line = lines.length;
      lines.push(
        `/** Says what it costs to send basket ${count} of a customer to where they live. */`,
        `export function ${name}(basket, address) {`,
        "  if (basket.items.length === 0) return null;",
        `  const weightGrams = basket.items.reduce((sum, item) => sum + item.weightGrams * ${count % 9}, 0);`,
        `  return lookUpRate(weightGrams, address.country, { isExpress: basket.isExpress });`,
        "}",
        "",
      );
      const short = `f${(count - 1).toString(36)}`;
      put("function ", { line: line + 1, column: 7 }, null);
      put(short, { line: line + 1, column: 16 }, names.length - 1);
      put("(e,t){", { line: line + 1, column: 16 + name.length }, null);
      put("if(0===", { line: line + 2, column: 2 }, null);
      put("e.items", { line: line + 2, column: 6 }, null);
      put(".length)", { line: line + 2, column: 19 }, null);
      put("return null;", { line: line + 2, column: 32 }, null);
      put("let n=", { line: line + 3, column: 2 }, null);
      put("e.items.reduce(", { line: line + 3, column: 22 }, null);
      put("(e,t)=>", { line: line + 3, column: 42 }, null);
      put(`e+t.weightGrams*${count % 9},0);`, { line: line + 3, column: 57 }, null);
      put("return ", { line: line + 4, column: 2 }, null);
      callColumns.push(column + 1);
      put("l(n,t.country,", { line: line + 4, column: 9 }, null);
      put("{isExpress:e.isExpress})}", { line: line + 4, column: 50 }, null);
    }
    const content = lines.join("\n");
    sources.push(`../src/shipping/part-${sources.length}.ts`);
    sourcesContent.push(content);
    bytes += content.length + FUNCTIONS_PER_SOURCE * 24;
  }
  const map = JSON.stringify({ version: 3, sources, sourcesContent, names, mappings: mappings.join(",") });
  return { code: code.join(""), map, callColumns };
}

function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
