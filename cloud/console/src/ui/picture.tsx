import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { wordsOf } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

const WORDS = wordsOf('picture');

/** The address of a photo's picture: of the vehicle, whole or as a thumbnail, or of its plate alone. */
export function pictureOf(photoId: string, kind: 'vehicle' | 'thumb' | 'plate' = 'vehicle'): string {
  return `/photo/${encodeURIComponent(photoId)}/picture?kind=${kind}`;
}

/** The picture of a photo, as a thumbnail unless it is large. */
export function PhotoPicture({
  photoId,
  ...shown
}: {
  /** Null: there is no picture. */
  photoId: string | null;
} & Pick<Parameters<typeof Picture>[0], 'name' | 'size'>) {
  if (photoId === null) return <Picture src={null} {...shown} />;
  const isSmall = shown.size !== 'large';
  return (
    <Picture src={pictureOf(photoId)} {...(isSmall && { thumb: pictureOf(photoId, 'thumb') })} {...shown} />
  );
}

/** A picture that a click, Space or Enter enlarges. */
export function Picture({
  src,
  thumb = src,
  name,
  size = 'medium',
}: {
  /** Null: there is none. */
  src: string | null;
  /** The picture that is shown until it is enlarged. */
  thumb?: string | null;
  /** The subject, such as `AB123 at entry`. */
  name: string;
  size?: 'small' | 'medium' | 'large';
}) {
  const [isLarge, setLarge] = useState(false);
  const [broken, setBroken] = useState<string | null>(null);
  if (src === null || thumb === null || thumb === broken) {
    return (
      <span className={`picture ${size} missing`}>
        <ImageOff size={16} aria-hidden="true" />
        {size === 'small' ? <span className="unseen">{WORDS.missing}</span> : WORDS.missing}
      </span>
    );
  }
  return (
    <>
      <AriaButton
        className={`picture ${size}`}
        aria-label={WORDS.enlarge({ name })}
        onPress={() => setLarge(true)}
      >
        <img key={thumb} src={thumb} alt="" loading="lazy" onError={() => setBroken(thumb)} />
      </AriaButton>
      {isLarge && (
        <Dialog title={name} size="large" onClose={() => setLarge(false)}>
          <img className="enlarged" src={src} alt={name} />
        </Dialog>
      )}
    </>
  );
}
