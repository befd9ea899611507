import { SelectField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PLATFORMS } from "./platforms.ts";

/** Chooses the platform of a project. */
export function PlatformField({
  value = "javascript",
  hint,
  error,
}: {
  value?: string | undefined;
  hint?: string;
  error?: string | null | undefined;
}) {
  return (
    <SelectField label="Platform" name="platform" defaultValue={value} hint={hint} error={error ?? null}>
      {toOptions(PLATFORMS, ({ id, label }) => [id, label])}
    </SelectField>
  );
}
