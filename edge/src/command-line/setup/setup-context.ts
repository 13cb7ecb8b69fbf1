import { isPlaceholder } from '@hlid/protocol/command-line/read-yaml';
import type { FoundDevice } from '../../onvif/discover.ts';
import type { ProbeOptions } from '../../onvif/onvif-options.ts';
import type { Interview } from './interview.ts';
import type { SetupDraft } from './setup-draft.ts';
import type { SetupWords } from './setup-words.ts';

/** The parts of the interview share this. */
export interface SetupContext {
  interview: Interview;
  words: SetupWords;
  draft: SetupDraft;
  /** The cloud's settings of the site apply, not the file's. */
  hasCloud: boolean;
  /** The site's name in the cloud at which this machine is enrolled; null: it is not. */
  enrolledName: string | null;
  /** The port to which cameras post. */
  cameraPort: number;
  probe: ProbeOptions;
  /** The devices that the search of the network found; null: it was not searched yet. */
  found: readonly FoundDevice[] | null;
}

/** An entry or a section as the file has it, before any schema. */
export type Written = Readonly<Record<string, unknown>>;

export function writtenIn(value: unknown): Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** A text or number of it; null where there is none, or that of the example. */
export function textOf(written: Written, key: string): string | null {
  const value = written[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && !isPlaceholder(value) ? value : null;
}

/** Whether something of the example is left in it. */
export function isUnfinished(written: Written): boolean {
  return isPlaceholder(JSON.stringify(written));
}

/** The entries of a list of the file. */
export function entriesOf({ draft }: SetupContext, key: 'lanes' | 'cameras'): Written[] {
  const list = draft.file.get([key]);
  return Array.isArray(list) ? list.map(writtenIn) : [];
}
