import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** A warning that stands on every page. The server words it: every page would wait for code that few need. */
export interface FrameNotice {
  title: string;
  text: string;
  /** Where there is more about it. */
  more?: { to: string; label: string };
}

export function FrameNotices({ notices }: { notices: readonly FrameNotice[] }) {
  return notices.map(({ title, text, more }) => (
    <Notice key={title} tone="warning" className="mb-4" title={title}>
      <p>
        {text} {more && <TextLink to={more.to}>{more.label}</TextLink>}
      </p>
    </Notice>
  ));
}
