import { Badge, type Tone } from '@hlid/ui/badge';
import { Check, CircleDashed, Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { wordsOf } from '../words/words.ts';
import './checklist.css';

const WORDS = wordsOf('checklist');

type CheckState = 'to-do' | 'waiting' | 'done' | 'failing';

export interface CheckItem {
  key: string;
  state: CheckState;
  title: string;
  /** Why, or how. */
  text?: ReactNode;
  /** The way to do it; shown until it is done. */
  action?: ReactNode;
}

const ICONS: Readonly<Record<CheckState, LucideIcon>> = {
  'to-do': CircleDashed,
  waiting: Hourglass,
  done: Check,
  failing: TriangleAlert,
};
const TONES: Readonly<Record<CheckState, Tone>> = {
  'to-do': 'neutral',
  waiting: 'caution',
  done: 'positive',
  failing: 'negative',
};

/** Things to do, each with its state, which changes by itself. */
export function Checklist({ label, items }: { label: string; items: readonly CheckItem[] }) {
  return (
    <ol className="checklist" aria-label={label}>
      {items.map(({ key, state, title, text, action }) => {
        const Icon = ICONS[state];
        return (
          <li key={key} className={`check ${state}`}>
            <Icon size={18} aria-hidden="true" />
            <div className="check-what">
              <strong>{title}</strong>
              {text !== undefined && state !== 'done' && <p>{text}</p>}
              {action !== undefined && state !== 'done' && <div className="row-acts">{action}</div>}
            </div>
            <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
          </li>
        );
      })}
    </ol>
  );
}

/** How many of several are done, as a bar and in words. */
export function Progress({ done, total }: { done: number; total: number }) {
  return (
    <p className="check-progress">
      <progress max={total} value={done} aria-hidden="true" />
      <span role="status">{WORDS.progress({ done, total })}</span>
    </p>
  );
}
