import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { StorageNews } from "./say-storage-news.ts";

/** Announces on every page what is deleted early. */
export function StorageNotice({ news }: { news: StorageNews | null }) {
  if (news === null) return null;
  return (
    <Notice tone="warning" className="mb-4" title={news.title}>
      <p>
        {news.text} <TextLink to="/settings/storage">See storage</TextLink>
      </p>
    </Notice>
  );
}
