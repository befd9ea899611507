import { type ComponentProps, useState } from "react";
import { Input } from "./field.tsx";

/**
 * An input for a day and a time in the reader's time zone, or in UTC without script. It sends the instant as `name`, and what the reader
 * sees as `name` with `Local` after it.
 */
export function InstantInput({ name, ...rest }: { name: string } & ComponentProps<typeof Input>) {
  const [local, setLocal] = useState("");
  const instant = new Date(local);
  return (
    <>
      <input
        type="hidden"
        name={name}
        form={rest.form}
        value={Number.isNaN(instant.getTime()) ? "" : instant.toISOString()}
      />
      <Input
        {...rest}
        type="datetime-local"
        name={`${name}Local`}
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value)}
      />
    </>
  );
}
