import { useEffect } from 'react';
import { readUnfinished } from '../unfinished.ts';
import type { Words } from '../words/en.ts';

/** The pause before a reload. A fault that recurs at once must not make the screen flicker. */
const RELOAD_AFTER_MS = 10_000;

/**
 * The screen that replaces a page that could not be drawn. It reloads itself: there are no browser keys here.
 */
export function FailedScreen({ words }: { words: Words }) {
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="screen verdict" role="alert">
      <h1>{words.lost.title}</h1>
      {readUnfinished() !== null && <p>{words.lost.paying}</p>}
    </main>
  );
}
