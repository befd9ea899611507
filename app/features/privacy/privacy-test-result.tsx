import type { PrivacyTest } from "../../domain/privacy/privacy-test.ts";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";

/** What the rules in the form would have masked in stored events, before they are saved. */
export function PrivacyTestResult({ test: { eventCount, fields, fieldCount } }: { test: PrivacyTest }) {
  return (
    <Panel
      title={`The newest ${eventCount === 1 ? "event" : `${eventCount} events`}: ${fieldCount === 1 ? "1 field" : `${fieldCount} fields`} more would be masked`}
      description="Nothing was saved. Stored events are masked already, so this cannot show what safe keys or a switch that is off would leave as it was sent, and it looks at no logs or spans."
    >
      {eventCount === 0 && <p className="text-sm">This project has no stored errors or messages to test on.</p>}
      {fields.length > 0 && (
        <Table label="Fields that would be masked" className="wrap-anywhere">
          <TableHead>
            <Th>Field</Th>
            <Th>Would be</Th>
            <Th isNumber>Events</Th>
          </TableHead>
          <tbody>
            {fields.map(({ path, value, eventCount: count }) => (
              <tr key={path}>
                <Td>
                  <code>{path}</code>
                </Td>
                <Td>{value === null ? "left out" : <code>{value}</code>}</Td>
                <Td isNumber>{count}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {fieldCount > fields.length && (
        <p className="pt-2 text-muted text-sm">The first {fields.length} of them are listed.</p>
      )}
    </Panel>
  );
}
