import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { sayMinutes } from "../../domain/alerts/say-rule.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { GRAPH_HEIGHT, TimeGraph } from "../../ui/time-graph.tsx";
import { LineSlider, RehearsedLine, toHeight } from "./rehearsal-line.tsx";
import type { Rehearsal } from "./rehearse-alert.server.ts";

/** Width of a bar and of the space after it, in units of the view box. */
const BAR = 4;

function Rehearse({ formId }: { formId: string }) {
  const isPending = useNavigation().formData?.get("intent") === "rehearse";
  return (
    <Button type="submit" form={formId} name="intent" value="rehearse" size="sm" isPending={isPending}>
      Rehearse
    </Button>
  );
}

/**
 * When the rule would have fired, with which messages, and to whom. The panel is the same with and without a rehearsal, so that its
 * button keeps the focus. `first`: the rehearsal of the form as it was opened. It is shown once it is there, until there is another.
 */
export function RehearsalPanel({
  rehearsal: asked,
  first = null,
  formId,
}: {
  rehearsal: Rehearsal | null;
  first?: Promise<Rehearsal> | null;
  formId: string;
}) {
  const opened = useFirst(first);
  const rehearsal = asked ?? opened;
  return (
    <Panel
      title="Rehearsal"
      actions={<Rehearse formId={formId} />}
      description={
        rehearsal &&
        `${sayTook(rehearsal)}${asked ? "" : " If you change the form, press “Rehearse” to see the effect."}`
      }
      isFlush={rehearsal !== null}
    >
      {rehearsal ? (
        <RehearsalResult rehearsal={rehearsal} formId={formId} />
      ) : (
        <p className="text-sm">
          “Rehearse” shows when the rule would have fired in the last 14 days, what it would have said and to whom. It
          sends nothing and saves nothing.
        </p>
      )}
    </Panel>
  );
}

/** Null: it is not there yet, or it failed. */
function useFirst(first: Promise<Rehearsal> | null): Rehearsal | null {
  const [settled, setSettled] = useState<{ of: typeof first; rehearsal: Rehearsal } | null>(null);
  useEffect(() => {
    let isShown = true;
    first?.then(
      (rehearsal) => isShown && setSettled({ of: first, rehearsal }),
      // The hint stays, with its button.
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [first]);
  return settled?.of === first ? settled.rehearsal : null;
}

function sayTook({ tookMs, from, to }: Rehearsal): string {
  return `The last ${toDays(from, to)} days, in ${formatDuration(tookMs * 1_000)}. Nothing was sent.`;
}

function toDays(from: number, to: number): number {
  return (to - from) / 86_400_000;
}

function RehearsalResult({ rehearsal, formId }: { rehearsal: Rehearsal; formId: string }) {
  const { times, messages, stepMessages, firings, chart, better, unknown, from, to } = rehearsal;
  const aDay = times / toDays(from, to);
  return (
    <>
      <p className="px-4 pt-3 text-base" role="status">
        <b className="text-lg">{sayTimes(times)}</b>{" "}
        {times > 0 && (
          <>
            and {messages.toLocaleString("en")} {messages === 1 ? "message" : "messages"},{" "}
            {aDay.toLocaleString("en", { maximumFractionDigits: 1 })} times a day.
            {stepMessages > 0 && ` Steps add ${stepMessages.toLocaleString("en")} at most.`}
          </>
        )}
      </p>
      {aDay > 20 && <p className="px-4 text-sm text-warning">More than 20 times a day: nobody reads that for long.</p>}
      {/* A new rehearsal starts with its own line. */}
      {chart && <Chart key={`${to} ${chart.line}`} rehearsal={rehearsal} chart={chart} formId={formId} />}
      {better && (
        <div className="flex flex-wrap items-center gap-3 border-line border-t px-4 py-2.5 text-sm">
          <p className="mr-auto">
            <b>
              At {better.count.toLocaleString("en")} instead of {chart?.line.toLocaleString("en")}:
            </b>{" "}
            {sayTimes(better.times)} instead of {times.toLocaleString("en")}.
          </p>
          <Button type="submit" form={formId} name="intent" value={`use-${better.count}`} size="sm">
            Use {better.count.toLocaleString("en")}
          </Button>
        </div>
      )}
      {firings.length === 0 ? (
        <EmptyState title="It would not have fired" isOfEvents>
          Nothing that is stored of these days fits. A rule that never fires is fine for what never should happen.
        </EmptyState>
      ) : (
        <Table label="When it would have fired">
          <TableHead>
            <Th>Would have fired</Th>
            <Th>Message</Th>
            {chart && <Th isNumber>Peak</Th>}
            <Th>To</Th>
          </TableHead>
          <tbody>
            {firings.map((firing) => (
              <tr key={`${firing.issue.id} ${firing.at} ${firing.trigger}`}>
                <Td className="whitespace-nowrap">
                  <RelativeTime at={firing.at} />
                </Td>
                <Td className="text-xs">
                  <TextLink to={`/issues/${firing.issue.id}`} className="font-mono">
                    {firing.issue.shortId}
                  </TextLink>{" "}
                  <span className="wrap-anywhere">{firing.message}</span>
                </Td>
                {chart && <Td isNumber>{firing.peak?.toLocaleString("en") ?? ""}</Td>}
                <Td className="min-w-20 text-xs">
                  {sayReceivers(firing.to)}
                  {firing.steps.map(({ afterMinutes, to: told }) => (
                    <span key={afterMinutes} className="block text-muted">
                      after {sayMinutes(afterMinutes)}: {sayReceivers(told)}
                    </span>
                  ))}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {firings.length > 0 && firings.length < times && (
        <p className="px-4 py-2 text-muted text-xs">The newest {firings.length} are listed.</p>
      )}
      <div className="border-line border-t px-4 py-3">
        <h3 className="pb-1 font-semibold text-sm">What cannot be reconstructed</h3>
        <ul className="grid list-disc gap-1 pl-5 text-muted text-xs">
          {unknown.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** The largest number of one issue in each two hours. The scale uses square roots, so that both the line and a peak can be read. */
function Chart({
  rehearsal,
  chart,
  formId,
}: {
  rehearsal: Rehearsal;
  chart: NonNullable<Rehearsal["chart"]>;
  formId: string;
}) {
  const { from, to, firings } = rehearsal;
  const { bars, line, kind } = chart;
  const [moved, setMoved] = useState(line);
  const button = useRef<HTMLButtonElement>(null);
  const largest = Math.max(line, ...bars.map(({ value }) => value));
  // Some space above, so that the line can be dragged over the highest bar.
  const scale = { top: Math.ceil(largest * 1.15) };
  const heightOf = (value: number) => toHeight(value, scale) * GRAPH_HEIGHT;
  const width = bars.length * BAR;
  const y = GRAPH_HEIGHT - heightOf(moved);
  return (
    <div className="px-4 py-3">
      <TimeGraph
        label={`The most ${kind} of one issue, by two hours. The line is at ${line.toLocaleString("en")}, the highest is ${largest.toLocaleString("en")}.`}
        from={from}
        spanMs={to - from}
        width={width}
        markers={firings.map(({ at, message }) => ({ at, label: message }))}
        scale={
          <span className="bar-graph-most" aria-hidden="true">
            {largest.toLocaleString("en")}
          </span>
        }
        plotClassName="alert-plot"
        overlay={
          <LineSlider
            value={moved}
            scale={scale}
            kind={kind}
            onMove={setMoved}
            onDone={() => button.current?.click()}
          />
        }
      >
        {bars.map(({ at, value }, index) => (
          <rect
            key={at}
            x={index * BAR}
            y={GRAPH_HEIGHT - heightOf(value)}
            width={BAR - 1}
            height={heightOf(value)}
            className={value >= moved ? "alert-bar-above" : "alert-bar"}
          />
        ))}
        <line x1={0} x2={width} y1={y} y2={y} className="alert-line" />
      </TimeGraph>
      <RehearsedLine
        value={moved}
        line={line}
        reached={bars.filter(({ value }) => value >= moved).length}
        formId={formId}
        button={button}
      />
    </div>
  );
}

function sayTimes(times: number): string {
  return times === 1 ? "1 time" : `${times.toLocaleString("en")} times`;
}

function sayReceivers(to: readonly string[]): string {
  if (to.length === 0) return "nobody";
  return to.length > 3 ? `${to.slice(0, 3).join(", ")} and ${to.length - 3} more` : to.join(", ");
}
