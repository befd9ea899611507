import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { NoiseView } from "./list-noise.server.ts";

/** Rules that fire more often than people act, each with a better line if there is one. Absent if there are no such rules. */
export function NoisePanel({ noise: { rules, isMailed } }: { noise: NoiseView }) {
  if (rules.length === 0) return null;
  return (
    <Panel
      id="noise"
      title="Rules that fire often"
      description="The last seven days. Acted on: somebody did something with the issue within a day. Undecided: it fired within the last day."
      isFlush
      actions={
        isMailed !== null && (
          <ButtonForm name="intent" value={isMailed ? "no-noise-mail" : "noise-mail"} size="sm" variant="quiet">
            {isMailed ? "Stop the weekly mail" : "Mail me this each Monday"}
          </ButtonForm>
        )
      }
    >
      <Table label="Rules that fire often">
        <TableHead>
          <Th>Rule</Th>
          <Th isNumber>Fired</Th>
          <Th isNumber>Messages</Th>
          <Th isNumber>Acted on</Th>
          <Th isNumber>Acknowledged</Th>
          <Th isNumber>Left alone</Th>
          <Th isNumber>Undecided</Th>
        </TableHead>
        <tbody>
          {rules.map(({ id, name, fired, messages, acted, acknowledged, leftAlone, undecided, better }) => (
            <tr key={id}>
              <Td className="min-w-56">
                <TextLink to={`/alerts/${id}`} className="wrap-anywhere font-semibold">
                  {name}
                </TextLink>
                {better !== null && (
                  <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
                    <span className="min-w-0 flex-1 basis-48">{better.said}</span>
                    {/* Not prefetched: the page rehearses the rule, which takes a while. */}
                    <LinkButton to={`/alerts/${id}?line=${better.line}`} size="sm" prefetch="none">
                      Look at {better.line.toLocaleString("en")}
                    </LinkButton>
                  </span>
                )}
              </Td>
              <Td isNumber>{fired.toLocaleString("en")}</Td>
              <Td isNumber>{messages.toLocaleString("en")}</Td>
              <Td isNumber>{acted.toLocaleString("en")}</Td>
              <Td isNumber>{acknowledged.toLocaleString("en")}</Td>
              <Td isNumber>{leftAlone.toLocaleString("en")}</Td>
              <Td isNumber>{undecided.toLocaleString("en")}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
