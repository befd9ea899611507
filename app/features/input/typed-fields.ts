/** The values of a refused form: the values of each field, and the `intent` of the pressed button. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;

/** Secret fields. They are in no page, not even in the answer to their own form. */
const SECRETS: ReadonlySet<string> = new Set(["password", "confirm", "current", "next", "code", "clientSecret"]);

/** The longest value that is kept. No field of these forms may be longer. Characters. */
const MAX_VALUE_LENGTH = 1024;

/**
 * Keeps the typed values for the answer to a refused form. With script the fields still have them. Without script the page is a new one,
 * and would show the saved values.
 */
export function keepTyped(form: FormData): TypedFields {
  const typed: Record<string, string[]> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string" || SECRETS.has(name)) continue;
    typed[name] ??= [];
    typed[name].push(value.slice(0, MAX_VALUE_LENGTH));
  }
  return typed;
}

/** Returns the start values of a form's fields: what was typed into it, or else what is saved. Null: nothing was refused. */
export function beginWith(typed: TypedFields | null, intent: string) {
  const own = typed?.intent?.[0] === intent ? typed : null;
  return {
    text: <Saved extends string | undefined>(name: string, saved: Saved) => own?.[name]?.[0] ?? saved,
    isChecked: (name: string, value: string | number, saved: boolean) =>
      own === null ? saved : (own[name]?.includes(String(value)) ?? false),
  };
}
