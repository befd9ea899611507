/** Puts the caret behind what the page's search holds: one mostly adds to it. False when the page has no search. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[role=search] input[name=q]");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
  return field !== null;
}
