import type { Permission } from '../../shell/session.ts';
import { roomWords } from '../../words/words.ts';
import { WORDS } from './opening-words.ts';

const NAMES = roomWords('accounts').account.permission;

/** Names the permission that this person lacks. */
export function MayNot({ permission }: { permission: Permission }) {
  return <p className="notice caution">{WORDS.mayNot({ permission: NAMES[permission] })}</p>;
}
