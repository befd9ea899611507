/**
 * Puts text on the clipboard. Plain-http addresses, where many run Culprit, have no `navigator.clipboard`: there the old
 * command does it.
 * @throws when neither way works
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.cssText = "position:fixed;opacity:0";
  // Inside an open modal dialog, or the inert rest of the page could not be selected from.
  (document.querySelector("dialog:modal") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (!isDone) throw new Error("the browser did not allow copying");
}
