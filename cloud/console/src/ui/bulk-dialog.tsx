import { useEffect, useRef, useState } from 'react';
import { sayFailure } from '../calls/refusal-words.ts';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';
import { type BulkProgress, BulkRun } from './bulk-run.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

const WORDS = wordsOf('bulkDialog');

/** Does one thing to many rows as soon as it is shown, with its progress, what failed and why, and a button to stop it. */
export function BulkDialog<T>({
  title,
  pages,
  total,
  act,
  nameOf,
  onClose,
}: {
  /** The title with its object and count: `Mark 12 visits as reviewed`. */
  title: string;
  /** `onePage(rows)`, or `everyPage(read)` for all rows of a query. */
  pages: () => AsyncIterable<readonly T[]>;
  total: number | null;
  act: (row: T) => Promise<unknown>;
  /** A row in the list of failures. */
  nameOf: (row: T) => string;
  onClose: () => void;
}) {
  const [progress, setProgress] = useState<BulkProgress<T> | null>(null);
  const run = useRef<BulkRun<T> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, with what it was given then
  useEffect(() => {
    // A second mount of the same dialog must not do everything twice.
    if (run.current) return;
    run.current = new BulkRun(pages(), act, { total, onProgress: setProgress });
    void run.current.start();
  }, []);
  const { done = 0, failures = [], state = 'running', listError = null } = progress ?? {};
  const isRunning = state === 'running';
  const whole = progress?.total ?? total;
  return (
    <Dialog
      title={title}
      isBusy={isRunning}
      onClose={() => {
        run.current?.stop();
        onClose();
      }}
    >
      <progress max={whole ?? undefined} value={whole === null ? undefined : done} aria-label={title} />
      <p role="status">
        {WORDS.progress({ done, total: whole })}
        {state === 'stopped' && ` · ${WORDS.stopped}`}
        {state === 'finished' && ` · ${WORDS.finished}`}
      </p>
      {listError !== null && <p className="notice negative">{sayFailure(listError).join(' ')}</p>}
      {failures.length > 0 && (
        <section className="notice negative" aria-label={WORDS.failures({ count: failures.length })}>
          <h3>{WORDS.failures({ count: failures.length })}</h3>
          <ul>
            {failures.map(({ row, error }) => (
              <li key={nameOf(row)}>
                <strong>{nameOf(row)}</strong>: {sayFailure(error).join(' ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      <footer>
        {isRunning ? (
          <Button onPress={() => run.current?.stop()}>{WORDS.stop}</Button>
        ) : (
          <Button look="primary" onPress={onClose}>
            {COMMON.close}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
