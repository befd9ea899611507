import { Equal, EqualNot, Minus } from "lucide-react";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { GroupingRow } from "./compare-grouping.ts";
import type { SimilarPage } from "./get-similar-page.server.ts";

const VERDICTS = {
  same: { words: "same", icon: <Equal aria-hidden="true" />, ink: "text-resolved" },
  differs: { words: "differs", icon: <EqualNot aria-hidden="true" />, ink: "text-error" },
  "not-counted": { words: "not counted", icon: <Minus aria-hidden="true" />, ink: "text-muted" },
} as const;

/** Explains why two issues are separate: a sentence, and then frame by frame. The deciding row is marked. */
export function GroupingComparisonPanel({
  issue,
  comparison: { other, result },
}: {
  issue: SimilarPage["issue"];
  comparison: NonNullable<SimilarPage["comparison"]>;
}) {
  return (
    <Panel
      id="why"
      title="Why not together?"
      description={
        <>
          {issue.shortId} and <TextLink to={`/issues/${other.id}`}>{other.shortId}</TextLink>: {other.title}
        </>
      }
      isFlush
    >
      <p className="p-4 text-sm">
        {result === null
          ? "The newest event of one of them cannot be read: its payload is deleted or damaged."
          : result.sentence}
      </p>
      {result !== null && (
        <Table label="What counts in both keys" className="min-w-[40rem]">
          <TableHead>
            <Th>Part</Th>
            <Th>{issue.shortId}</Th>
            <Th>{other.shortId}</Th>
            <Th>Key</Th>
          </TableHead>
          <tbody>
            {result.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a comparison do not move
              <ComparisonRow key={index} row={row} />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function ComparisonRow({ row: { label, left, right, verdict, isDecisive } }: { row: GroupingRow }) {
  const { words, icon, ink } = VERDICTS[verdict];
  return (
    <tr className={isDecisive ? "bg-error-wash" : undefined}>
      <Td className="whitespace-nowrap text-muted">{label}</Td>
      <Td className="font-mono text-xs">{left ?? <span className="text-faint">none</span>}</Td>
      <Td className="font-mono text-xs">{right ?? <span className="text-faint">none</span>}</Td>
      <Td className="whitespace-nowrap">
        <span className={`inline-flex items-center gap-1.5 [&_svg]:size-4 ${ink}`}>
          {icon}
          {isDecisive ? `${words}, and decides` : words}
        </span>
      </Td>
    </tr>
  );
}
