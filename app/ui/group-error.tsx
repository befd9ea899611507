/** What is wrong with a group of controls. A screen reader says it at once: no control has the focus for it. */
export function GroupError({ message, id }: { message: string | null | undefined; id?: string | undefined }) {
  return (
    message && (
      <p id={id} role="alert" className="field-error text-error text-xs">
        {message}
      </p>
    )
  );
}
