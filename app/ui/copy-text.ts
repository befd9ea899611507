/**
 * Puts text on the clipboard. Pages on plain-http addresses, on which many people run Culprit, have no `navigator.clipboard`: there an
 * older command of browsers is used.
 * @throws if neither way works
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.cssText = "position:fixed;opacity:0";
  // While a modal dialog is open, the rest of the page is inert, and text outside of the dialog cannot be selected.
  (document.querySelector("dialog:modal") ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (!isDone) throw new Error("the browser did not allow copying");
}
