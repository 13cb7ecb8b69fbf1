import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Refusal } from '../calls/refusal.ts';
import { sayFailure } from '../calls/refusal-words.ts';
import { Button } from '../ui/button.tsx';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';

const WORDS = wordsOf('pageError');

/** The page that replaces one that could not be drawn; the menu stays. */
export function PageError({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const retry = () => {
    void router.invalidate();
    reset?.();
  };
  const isOurs = !(error instanceof Refusal);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    if (isOurs) return;
    const again = () => latest.current();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [isOurs]);
  return (
    <div className="failed" role="alert">
      <h1>{WORDS.title}</h1>
      {(isOurs ? [WORDS.ours] : sayFailure(error)).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {isOurs && <p className="quiet-text">{error instanceof Error ? error.message : String(error)}</p>}
      <Button look="primary" onPress={retry}>
        {COMMON.retry}
      </Button>
      {isOurs && <Button onPress={() => location.reload()}>{WORDS.reload}</Button>}
    </div>
  );
}
