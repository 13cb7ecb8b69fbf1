import { readUnfinished } from '../unfinished.ts';
import type { Words } from '../words/en.ts';

/** The page that replaces one that could not be drawn. A payment continues after a reload. */
export function FailedPage({ words }: { words: Words }) {
  const isPaying = readUnfinished() !== null;
  return (
    <main className="screen verdict">
      <div className="view" role="alert">
        <h1>{isPaying ? words.pay.checking : words.notices.failed}</h1>
        {isPaying && (
          <p className="until" data-tone="doubt">
            {words.pay.notAgain}
          </p>
        )}
      </div>
      <div className="actions">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {words.again}
        </button>
      </div>
    </main>
  );
}
