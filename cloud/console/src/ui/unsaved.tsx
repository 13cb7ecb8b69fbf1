import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { wordsOf } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

const WORDS = wordsOf('unsaved');

/**
 * Asks before typed text is lost to another page, the browser's own buttons or a closed tab.
 *
 * @param isBusy it is being saved, and a page that follows the save may leave
 * @returns the question, to be shown
 */
export function useUnsaved({ isDirty, isBusy }: { isDirty: boolean; isBusy: boolean }): ReactNode {
  const latest = useRef(false);
  latest.current = isDirty && !isBusy;
  const blocker = useBlocker({
    // Filters and tabs of the same page are in its address too.
    shouldBlockFn: ({ current, next }) => latest.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => latest.current,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title={WORDS.title} onClose={blocker.reset}>
      <p>{WORDS.text}</p>
      <footer>
        <Button look="negative" onPress={blocker.proceed}>
          {WORDS.leave}
        </Button>
        <Button look="primary" onPress={blocker.reset} autoFocus>
          {WORDS.stay}
        </Button>
      </footer>
    </Dialog>
  );
}
