import { useEffect } from 'react';
import { readUnfinished } from '../unfinished.ts';
import type { Words } from '../words/en.ts';

/** A fault that comes back at once shall not make the glass flicker. */
const RELOAD_AFTER_MS = 10_000;

/** In place of a page that could not be drawn: it loads itself again, since nobody can press the keys of a browser here. */
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
