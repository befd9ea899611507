import type { ComponentType } from "react";
import { Form, type FormProps } from "react-router";
import { Button, type ButtonProps } from "./button.tsx";

/** A form that is one button: it posts `fields`, and the button's own name and value. */
export function ButtonForm({
  fields = {},
  action,
  form: FormElement = Form,
  ...button
}: Omit<ButtonProps, "form" | "type"> & {
  fields?: Readonly<Record<string, string | number>>;
  /** The address to which the form posts. Absent: the page's own address. */
  action?: string;
  /** The form of a fetcher, with which the page stays open. */
  form?: ComponentType<FormProps>;
}) {
  return (
    <FormElement method="post" {...(action === undefined ? {} : { action })}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" {...button} />
    </FormElement>
  );
}
