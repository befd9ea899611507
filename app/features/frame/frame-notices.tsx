import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** A warning on every page. The server writes its words, because otherwise every page would load code that few need. */
export interface FrameNotice {
  title: string;
  text: string;
  /** A link to more about it. */
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
