import { useState } from "react";

/** Whether the name says that it is one. The server looks at the bytes before it calls a file an image. */
export function hasPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name);
}

/** The same of the type that its sender named: some SDKs name a screenshot without an ending. */
export function hasPictureType(contentType: string | null): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)$/i.test(contentType ?? "");
}

/** A picture that was sent. What a browser cannot show as one is told instead. `path`: of the attachment. */
export function AttachmentPicture({ path, name }: { path: string; name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <p className="text-muted text-sm">This is no image that a browser can show. Download it to look at it.</p>;
  // The browser may have tried it before the page is hydrated, and tells it only once.
  const noteBroken = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setBroken(true);
  };
  return (
    <a href={`${path}?view`} className="attachment-picture">
      <img
        ref={noteBroken}
        src={`${path}?view`}
        alt={`Attached: ${name}`}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    </a>
  );
}
