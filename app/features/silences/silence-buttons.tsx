import { SILENCE_CHOICES } from "../../domain/alerts/silence.ts";
import { ButtonForm } from "../../ui/button-form.tsx";

/** Buttons that silence a rule or a project with one press. */
export function SilenceButtons({ fields, name }: { fields: { rule: number } | { project: number }; name: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      {SILENCE_CHOICES.map((choice) => (
        <ButtonForm
          key={choice.name}
          size="sm"
          name="for"
          value={choice.name}
          action="/alerts/silences"
          fields={{ ...fields, intent: "silence" }}
          aria-label={`Silence ${choice.label.toLowerCase()}: ${name}`}
        >
          Silence {choice.label.toLowerCase()}
        </ButtonForm>
      ))}
    </div>
  );
}
