import { wordsOf } from '../words/words.ts';
import { type FixedKey, useShortcut } from './shortcuts.tsx';

const WORDS = wordsOf('listKeys');

/** The keys that rows and dialogs have by themselves. */
export const FIXED_KEYS: readonly FixedKey[] = [
  { keys: 'Enter', label: WORDS.open },
  { keys: 'Ctrl Enter', label: WORDS.openTab },
  { keys: 'Home / End', label: WORDS.ends },
  { keys: 'Ctrl A', label: WORDS.all },
  { keys: 'Escape', label: WORDS.close },
];

const LIST = 'main table[role=grid]';
const ROW = 'tbody > tr';

/** The row of a list that has the focus, or has something in it that does. */
function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(`${LIST} > ${ROW}`) ?? null;
}

/** The row at which a list is entered: the one that had the focus last, else the first. */
export function rowToEnter(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`${LIST} > ${ROW}[tabindex="0"]`);
}

function move(step: -1 | 1): void {
  const row = currentRow();
  const sibling = step > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  const to = row === null ? rowToEnter() : sibling;
  if (!(to instanceof HTMLElement)) return;
  to.focus();
  to.scrollIntoView({ block: 'nearest' });
}

/** J, K and X, on whatever list is shown. A page that uses one of these keys for something else has it. */
export function ListKeys() {
  useShortcut('j', WORDS.next, () => move(1));
  useShortcut('k', WORDS.previous, () => move(-1));
  useShortcut('x', WORDS.choose, () =>
    currentRow()?.querySelector<HTMLInputElement>(':scope > .choose input')?.click(),
  );
  return null;
}
