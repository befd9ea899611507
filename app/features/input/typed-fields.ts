/** What was typed into a form that was refused: each field with its values, and the `intent` of the pressed button. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;

/** They are in no page, not even in the answer to their own form. */
const SECRETS: ReadonlySet<string> = new Set(["password", "confirm", "current", "next", "code", "clientSecret"]);

/** Characters of a value. No field of these forms may be longer. */
const MAX_VALUE_LENGTH = 1024;

/**
 * For the answer to a refused form. With script the fields are still there; without, the page is a new one, and would show what was saved
 * before.
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

/** Values to begin the fields of a form with: what was typed into it, or else what is saved. Null: nothing was refused. */
export function beginWith(typed: TypedFields | null, intent: string) {
  const own = typed?.intent?.[0] === intent ? typed : null;
  return {
    text: <Saved extends string | undefined>(name: string, saved: Saved) => own?.[name]?.[0] ?? saved,
    isChecked: (name: string, value: string | number, saved: boolean) =>
      own === null ? saved : (own[name]?.includes(String(value)) ?? false),
  };
}
