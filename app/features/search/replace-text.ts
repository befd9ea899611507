/** Writes a text into a field so that the browser can undo it, and listeners of `input` are called. Writes only the part that differs. */
export function replaceText(input: HTMLInputElement, text: string): void {
  const old = input.value;
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end++;
  const written = text.slice(start, text.length - end);
  input.setSelectionRange(start, old.length - end);
  // Deprecated, but the only way that keeps the browser's undo.
  const isDone =
    typeof document.execCommand === "function" &&
    (written === "" ? document.execCommand("delete") : document.execCommand("insertText", false, written));
  if (isDone && input.value === text) return;
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
}
