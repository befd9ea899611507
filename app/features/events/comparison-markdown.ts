import { escapeMarkdown, inlineCode } from "../markdown/write-markdown.ts";
import { countDifferences } from "./compare-events.ts";
import type { ComparedGroup, ComparedValue } from "./compare-values.ts";
import { sayDetails } from "./comparison-words.ts";
import type { ComparedEvent, EventComparison } from "./get-comparison.server.ts";

const MAX_VALUE = 300;

/** The differences between two events, as Markdown. `links` lead to the events. */
export function toComparisonMarkdown(
  { left, right, sections }: EventComparison,
  { title, links }: { title: string; links: { left: string; right: string } },
): string {
  const { differing, same } = countDifferences(sections);
  const lines = [
    `# Two events of ${escapeMarkdown(title)}`,
    "",
    toEventLine("A", left, links.left),
    toEventLine("B", right, links.right),
    "",
    `${differing.toLocaleString("en")} values differ, ${same.toLocaleString("en")} are the same.`,
  ];
  for (const { title: name, groups } of sections) {
    const listed = groups.flatMap(toGroupLines);
    lines.push("", `## ${escapeMarkdown(name)}`, "", ...(listed.length > 0 ? listed : ["The same in both."]));
  }
  return `${lines.join("\n")}\n`;
}

function toEventLine(letter: string, event: ComparedEvent, link: string): string {
  const facts = [new Date(event.occurredAt).toISOString(), event.user].filter((fact) => fact !== null);
  const lost = sayDetails(event);
  return `- **${letter}**: <${link}> ${inlineCode(facts.join(", "))}${lost === null ? "" : ` ${lost}`}`;
}

function toGroupLines({ title, side, values }: ComparedGroup): string[] {
  const name = title === null ? "" : `${inlineCode(title)} `;
  if (side !== "both") return [`- ${name}only in ${side === "left" ? "A" : "B"}`];
  return values.filter(({ isSame }) => !isSame).map((value) => `- ${name}${toValueLine(value)}`);
}

function toValueLine({ name, left, right }: ComparedValue): string {
  const say = (text: string | null) =>
    text === null ? "not there" : inlineCode(text.slice(0, MAX_VALUE).toWellFormed() || "(empty)");
  return `**${escapeMarkdown(name)}**: A ${say(left)}, B ${say(right)}`;
}
