import type { ExplainedStep } from "../../symbolicate/explain-report.ts";
import type { StepFact } from "./step-facts.ts";
import { StepStateMark } from "./step-state.tsx";
import { STEP_NAMES } from "./step-words.ts";

/** The steps from a frame to its source: the state of each in words, and the facts behind it. */
export function FileSteps({ steps, facts }: { steps: readonly ExplainedStep[]; facts: readonly StepFact[] }) {
  return (
    <ol className="map-steps">
      {steps.map(({ step, state, text }) => (
        <li key={step} data-state={state}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="font-semibold text-sm">{STEP_NAMES[step]}</span>
            <StepStateMark state={state} />
          </div>
          <p className="wrap-anywhere text-muted text-sm">{text}</p>
          <Facts facts={facts.filter((fact) => fact.step === step)} />
        </li>
      ))}
    </ol>
  );
}

function Facts({ facts }: { facts: readonly StepFact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="map-facts">
      {facts.map(({ name, values }) => (
        <div key={name}>
          <dt>{name}</dt>
          {values.map((value) => (
            <dd key={value}>{value}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
