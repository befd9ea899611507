/** An error of a form before sign-in, above its fields. */
export function FormError({ children }: { children: string }) {
  return (
    <p role="alert" className="rounded-md bg-error-wash px-3 py-2 font-semibold text-error text-sm">
      {children}
    </p>
  );
}
