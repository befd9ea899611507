/** Puts the caret at the end of the page's search, because people mostly add to it. False: the page has no search. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[role=search] input[name=q]");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
  return field !== null;
}
