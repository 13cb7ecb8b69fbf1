import type { PayStay } from '@hlid/protocol/pages/pay-api';
import { useEffect, useState } from 'react';
import { usePay } from '../pay-context.ts';
import { Icon, type IconName } from './icon.tsx';

/** The outcome, in one sign. */
export function Sign({ icon, tone }: { icon: IconName; tone: 'good' | 'doubt' | 'plain' }) {
  return (
    <span className="sign" data-tone={tone}>
      <Icon name={icon} />
    </span>
  );
}

/** The picture of the entry, which only the driver gets to see. */
export function EntryPicture({ stay }: { stay: PayStay }) {
  const { cloud, words } = usePay();
  const [url, setUrl] = useState<string | null>(null);
  const { key, hasPicture } = stay;
  useEffect(() => {
    if (!hasPicture) return;
    const ending = new AbortController();
    let shown: string | null = null;
    void cloud.picture(key, ending.signal).then((picture) => {
      if (picture === null || ending.signal.aborted) return;
      shown = URL.createObjectURL(picture);
      setUrl(shown);
    });
    return () => {
      ending.abort();
      if (shown !== null) URL.revokeObjectURL(shown);
    };
  }, [cloud, key, hasPicture]);
  if (!hasPicture) return null;
  if (url === null) return <div className="picture" aria-hidden="true" />;
  return <img className="picture" src={url} alt={words.due.picture} />;
}

/** A text that is seen at once, with a picture. */
export function Hint({ icon, text }: { icon: IconName; text: string }) {
  return (
    <p className="notice" data-tone="mark">
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}
