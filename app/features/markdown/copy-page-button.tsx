import { FileText } from "lucide-react";
import { CopyButton } from "../../ui/copy-button.tsx";

/** Copies a page as Markdown. `path`: the page's own path, without `.md`. `search`: `?…` with what is chosen on the page. */
export function CopyPageButton({ path, search = "", label }: { path: string; search?: string; label: string }) {
  return (
    <CopyButton text={() => fetchMarkdown(path, search)} isIcon icon={<FileText aria-hidden="true" />} label={label} />
  );
}

/** @throws if the page does not exist, or there is no answer. */
async function fetchMarkdown(path: string, search: string): Promise<string> {
  const answer = await fetch(`${path}.md${search}`, { headers: { accept: "text/markdown" } });
  if (!answer.ok) throw new Error(`${path}.md answered ${answer.status}`);
  return answer.text();
}
