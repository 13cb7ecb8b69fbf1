import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsFor, actionsSchema } from '../../people/auth/record-actions.ts';
import type { TokenCaller } from '../../platform/http/caller.ts';
import { type ChangeFacts, planChange, refuseBlock } from './entry-change.ts';
import type { EntryRow } from './whitelist-entry.ts';

export const ENTRY_ACTION_NAMES = ['edit', 'pause', 'resume', 'delete', 'restore'] as const;
export type EntryAction = (typeof ENTRY_ACTION_NAMES)[number];

type Status = EntryRow['status'];

/** The facts that decide about the actions of an entry. */
export interface EntryFacts {
  status: Status;
  /** Why the caller may change nothing of it. */
  blocked: Mistake | null;
  /** Why it cannot get that status. */
  refusals: Readonly<Record<Status, Mistake | null>>;
}

const CHANGE = 'PUT /visit/whitelist/:id';

/** The actions of an entry, and when each is possible. The command refuses by these rules. */
export const ENTRY_ACTIONS = {
  edit: { route: CHANGE, refuse: ({ blocked }: Pick<EntryFacts, 'blocked'>) => blocked },
  pause: statusRule(CHANGE, 'active', 'paused'),
  resume: statusRule(CHANGE, 'paused', 'active'),
  delete: {
    route: 'DELETE /visit/whitelist/:id',
    refuse: ({ status, refusals }: EntryFacts) =>
      status === 'deleted' ? ('nothing-to-do' as const) : refusals.deleted,
  },
  restore: statusRule(CHANGE, 'deleted', 'active'),
} satisfies ActionRules<EntryAction, EntryFacts>;

export const EntryActionsSchema = actionsSchema(ENTRY_ACTION_NAMES, ENTRY_ACTIONS);

function statusRule(route: string, from: Status, to: Status) {
  return {
    route,
    refuse: ({ status, refusals }: EntryFacts) =>
      status === from ? refusals[to] : ('nothing-to-do' as const),
  };
}

/** The actions of the caller on an entry now. */
export function actionsOfEntry(caller: TokenCaller, facts: ChangeFacts, entry: EntryRow): EntryAction[] {
  const refusalOf = (status: Status) => planChange(facts, entry, { ...entry, status }).mistakes[0] ?? null;
  return actionsFor(
    ENTRY_ACTION_NAMES,
    ENTRY_ACTIONS,
    caller,
    { siteId: entry.siteId },
    {
      status: entry.status,
      blocked: refuseBlock(facts, entry),
      refusals: {
        active: refusalOf('active'),
        paused: refusalOf('paused'),
        deleted: refusalOf('deleted'),
      },
    },
  );
}
