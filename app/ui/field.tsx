import { type ComponentProps, type ComponentType, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names.ts";

const CONTROL =
  "w-full min-w-0 rounded-md border border-control bg-raised text-ink shadow-raised placeholder:text-faint hover:border-muted focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-faint aria-invalid:border-danger";

const SIZES = {
  sm: "h-7 px-2 text-xs pointer-coarse:h-9 pointer-coarse:text-md",
  md: "h-8.5 px-2.5 text-sm pointer-coarse:h-10 pointer-coarse:text-md",
  lg: "h-10 px-3 text-base pointer-coarse:h-11 pointer-coarse:text-md",
} as const;

export type ControlSize = keyof typeof SIZES;

/** A bare text field for toolbars. Give it an `aria-label`. In forms use `TextField`. */
export function Input({
  controlSize = "md",
  className,
  ...rest
}: ComponentProps<"input"> & { controlSize?: ControlSize }) {
  return <input {...rest} className={classNames(CONTROL, SIZES[controlSize], className)} />;
}

/** The classes of a select, for a button that opens a list to choose from. */
export function selectClassNames(controlSize: ControlSize = "md"): string {
  return classNames(CONTROL, SIZES[controlSize], "select cursor-pointer pr-7");
}

/**
 * A bare native select for toolbars. Give it an `aria-label`. In forms use `SelectField`. When `defaultValue` changes, as with another
 * page, the choice follows it and keeps the focus.
 */
export function Select({
  controlSize = "md",
  className,
  ...rest
}: Omit<ComponentProps<"select">, "ref" | "multiple"> & { controlSize?: ControlSize }) {
  const select = useRef<HTMLSelectElement>(null);
  const { defaultValue } = rest;
  const shown = useRef(defaultValue);
  useLayoutEffect(() => {
    // Nothing at first: the server has drawn the choice, and somebody may have changed it already.
    if (shown.current === defaultValue) return;
    shown.current = defaultValue;
    if (select.current && defaultValue !== undefined) select.current.value = String(defaultValue);
  }, [defaultValue]);
  return <select {...rest} ref={select} className={classNames(selectClassNames(controlSize), className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea {...rest} className={classNames(CONTROL, "px-2.5 py-2 text-sm pointer-coarse:text-md", className)} />
  );
}

/**
 * A bare check box. Give it an `aria-label`, or use `CheckboxField`. When `defaultChecked` changes, as with another page, the box follows
 * it and keeps the focus.
 */
export function Checkbox({ className, ...rest }: Omit<ComponentProps<"input">, "type" | "ref">) {
  const box = useRef<HTMLInputElement>(null);
  const { defaultChecked } = rest;
  const shown = useRef(defaultChecked);
  useLayoutEffect(() => {
    if (shown.current === defaultChecked) return;
    shown.current = defaultChecked;
    if (box.current && defaultChecked !== undefined) box.current.checked = defaultChecked;
  }, [defaultChecked]);
  return <input {...rest} ref={box} type="checkbox" className={classNames("checkbox", className)} />;
}

interface FieldWords {
  label: ReactNode;
  /** Says what to type, or what the field is for. A screen reader reads it with the control. */
  hint?: ReactNode;
  /** What is wrong with the value. A screen reader reads it with the control, which is then marked as invalid. */
  error?: string | null;
}

interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A label above a control, with hint and error, tied together by ids. For your own control, take the ids from the argument. */
export function Field({
  label,
  hint,
  error,
  children,
  className,
}: FieldWords & { children: (ids: FieldIds) => ReactNode; className?: string }) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : "";
  const errorId = error ? `${id}-error` : "";
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": `${errorId} ${hintId}`.trim() || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="field-error text-error text-xs">
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Makes a field for forms from a control, with label, hint and error tied to it. */
function fieldOf<Props extends { className?: string | undefined }>(Control: ComponentType<Props>) {
  return ({ label, hint, error, className, ...control }: FieldWords & Props) => (
    <Field label={label} hint={hint} error={error} className={className}>
      {(ids) => <Control {...(control as unknown as Props)} {...ids} />}
    </Field>
  );
}

export const TextField = fieldOf(Input);
export const TextareaField = fieldOf(Textarea);
export const SelectField = fieldOf(Select);

export function CheckboxField({
  label,
  hint,
  error,
  className,
  ...control
}: FieldWords & Omit<ComponentProps<"input">, "type">) {
  const id = useId();
  const messageId = hint || error ? `${id}-message` : undefined;
  return (
    <div className={classNames("grid grid-cols-[auto_1fr] items-start gap-x-2.5 gap-y-0.5", className)}>
      <Checkbox {...control} id={id} aria-describedby={messageId} aria-invalid={error ? true : undefined} />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
      {messageId && (
        <p id={messageId} className={classNames("col-start-2 text-xs", error ? "text-error" : "text-muted")}>
          {error || hint}
        </p>
      )}
    </div>
  );
}
