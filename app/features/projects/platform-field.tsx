import { SelectField } from "../../ui/field.tsx";
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
      {PLATFORMS.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
