import { useState } from "react";

/** A picture that somebody sent. What a browser cannot show as one is told instead. */
export function FeedbackPicture({ path, name }: { path: string; name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <p className="text-muted text-sm">This is no image that a browser can show. Download it to look at it.</p>;
  // The browser may have tried it before the page is hydrated, and tells it only once.
  const noteBroken = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setBroken(true);
  };
  return (
    <a href={path} className="feedback-picture">
      <img
        ref={noteBroken}
        src={path}
        alt={`Sent with the message: ${name}`}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    </a>
  );
}
