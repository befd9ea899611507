import { useState } from "react";

/** Whether the name is that of a picture. The server checks the bytes before it serves a file as an image. */
export function hasPictureName(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name);
}

/** Whether the type that the sender named is that of a picture: some SDKs name a screenshot without an extension. */
export function hasPictureType(contentType: string | null): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)$/i.test(contentType ?? "");
}

/** A picture that was sent. If the browser cannot show it, a sentence says so. `path`: the address of the attachment. */
export function AttachmentPicture({ path, name }: { path: string; name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <p className="text-muted text-sm">This is no image that a browser can show. Download it to look at it.</p>;
  // The browser may have failed to load it before the page is hydrated. It reports that only once.
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
