import { type ReactNode, useEffect, useState } from 'react';
import { sayFailure } from '../calls/refusal-words.ts';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';

const SKELETON_AFTER_MS = 200;

/**
 * A placeholder that appears after a moment, so that quick answers do not flicker. @param lines the expected
 * number of lines
 */
export function Loading({ lines = 4 }: { lines?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className="skeleton" role="status" aria-label={COMMON.loading}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={line} />
      ))}
    </div>
  );
}

/** The failure, and the way on. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="failed" role="alert">
      <h2>{COMMON.failedTitle}</h2>
      {sayFailure(error).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {retry && <Button onPress={retry}>{COMMON.retry}</Button>}
    </div>
  );
}

/** An empty place: the reason, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Why a form was not accepted. */
export function RefusedNotice({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <div className="notice negative" role="alert">
      {sayFailure(error).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
