/** The values of the fields in a part of a page when it was sent, in the order of the fields. */
export type SentFields = readonly { value: string; isChecked: boolean }[];

export function readFields(part: HTMLElement): SentFields {
  return listFields(part).map((field) => ({ value: field.value, isChecked: isChecked(field) }));
}

/** Puts the sent values back into the fields of a part that was drawn again. Does nothing if the number of fields differs. */
export function fillFields(part: HTMLElement, sent: SentFields): void {
  const fields = listFields(part);
  if (fields.length !== sent.length) return;
  for (const [index, { value, isChecked }] of sent.entries()) {
    const field = fields[index];
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = isChecked;
    else if (field) field.value = value;
  }
}

function listFields(part: HTMLElement) {
  return [
    ...part.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input[name]:not([type=hidden]), textarea[name]"),
  ];
}

function isChecked(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  return field instanceof HTMLInputElement && field.checked;
}
