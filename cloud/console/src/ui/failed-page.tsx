import { COMMON } from '../words/common.ts';

/** The page that replaces a room, or the whole console, that could not be drawn. */
export function FailedPage() {
  return (
    <main className="failed" role="alert">
      <h1>{COMMON.failedTitle}</h1>
      <button type="button" className="button" onClick={() => location.reload()}>
        {COMMON.retry}
      </button>
    </main>
  );
}
