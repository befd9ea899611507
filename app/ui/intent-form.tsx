import { Form, type FormProps, useNavigation } from "react-router";
import { Button, type ButtonVariant } from "./button.tsx";

/** A form with its fields below each other, and one button at the end that posts the form's `intent`. */
export function IntentForm({
  intent,
  submit,
  variant,
  children,
  ...form
}: Omit<FormProps, "method"> & {
  intent: string;
  /** The label of the button. */
  submit: string;
  variant?: ButtonVariant;
}) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" className="grid max-w-form gap-4" {...form}>
      {children}
      <div>
        <Button type="submit" name="intent" value={intent} variant={variant ?? "secondary"} isPending={isPending}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

/** `field` null: the error is of none of the fields. */
type FieldError = { field: string | null; message: string } | null;

/** Returns a function that gives the error of a field by its name, or null. */
export function toErrorOf(error: FieldError): (field: string) => string | null {
  return (field) => (error?.field === field ? error.message : null);
}

/** Returns a function that gives a control of a form its name, its value at first, and its error. */
export function toFieldOf(error: FieldError) {
  const errorOf = toErrorOf(error);
  return <Value,>(name: string, defaultValue?: Value) => ({ name, defaultValue, error: errorOf(name) });
}
