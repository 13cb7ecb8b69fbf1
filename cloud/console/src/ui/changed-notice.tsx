import { wordsIn } from '../words/words.ts';
import { Details } from './details.tsx';

const WORDS = wordsIn(
  { title: 'Changed by somebody else, as it is now:' },
  { title: 'Breytt af öðrum, eins og það er núna:' },
);

export type TextRow = readonly [name: string, value: string | null];

/** What somebody else has changed while a form was open. */
export function ChangedNotice({ before, now }: { before: readonly TextRow[]; now: readonly TextRow[] }) {
  const changed = now.filter(([name, value]) => before.find(([one]) => one === name)?.[1] !== value);
  if (changed.length === 0) return null;
  return (
    <div className="notice caution">
      <p>{WORDS.title}</p>
      <Details rows={changed.map(([name, value]) => [name, value ?? '–'])} />
    </div>
  );
}
