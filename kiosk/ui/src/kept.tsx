import type { ReactNode } from 'react';

/** A plate, an amount, a time or a code: a browser's translation leaves it as it is. */
export function Kept({ children }: { children: ReactNode }) {
  return <span translate="no">{children}</span>;
}

/** A text of which a part, such as an amount, is left as it is by a browser's translation. It wraps as one, also in a button. */
export function KeptIn({ text, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : text.indexOf(part);
  if (at < 0) return text;
  return (
    <span>
      {text.slice(0, at)}
      <Kept>{part}</Kept>
      {text.slice(at + part.length)}
    </span>
  );
}
