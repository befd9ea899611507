import { cutText } from "../../domain/cut-text.ts";
import { inlineCode } from "../markdown/write-markdown.ts";

/** Characters of one value. */
const MAX_VALUE = 300;
/** Characters of all values of a section. */
const MAX_SECTION = 8_000;

/** The values of one section of an event's Markdown. Once the section is full, further values are left out and counted. */
export interface ValueSection {
  /** Each name with its value, as inline code. */
  take(values: ReadonlyArray<readonly [name: string, value: unknown]>): string[];
  /** Lines that say what is left out. Empty: nothing is. */
  sayMissing(): string[];
}

export function openValueSection(): ValueSection {
  let left = MAX_SECTION;
  let cut = 0;
  let leftOut = 0;
  return {
    take: (values) =>
      values.flatMap(([name, value]) => {
        if (left <= 0) {
          leftOut += 1;
          return [];
        }
        const whole = `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
        const text = cutText(whole, MAX_VALUE);
        if (text !== whole) cut += 1;
        left -= text.length;
        return [inlineCode(text)];
      }),
    sayMissing() {
      const parts = [
        ...(leftOut > 0 ? [`${leftOut.toLocaleString("en")} more values are left out`] : []),
        ...(cut > 0 ? [`values are cut after ${MAX_VALUE} characters`] : []),
      ];
      return parts.length > 0 ? ["", `The JSON of the event has all: here, ${parts.join(", and ")}.`] : [];
    },
  };
}
