import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Caller } from '../../platform/http/caller.ts';
import { type ActionRules, ALWAYS, actionsFor, actionsSchema, NOT_ALLOWED } from '../auth/record-actions.ts';

export const PASSKEY_ACTION_NAMES = ['rename', 'remove'] as const;
export type PasskeyAction = (typeof PASSKEY_ACTION_NAMES)[number];

/** The facts that decide about the actions of a passkey. */
interface PasskeyFacts {
  /** The passkey belongs to the account of the caller. */
  isOwn: boolean;
}

/** The actions of a passkey. Others than its holder only remove it, after it was lost. */
export const PASSKEY_ACTIONS = {
  rename: {
    route: 'PUT /accounts/:id/passkeys/:passkeyId',
    refuse: ({ isOwn }: PasskeyFacts) => (isOwn ? null : NOT_ALLOWED),
  },
  remove: { route: 'DELETE /accounts/:id/passkeys/:passkeyId', refuse: ALWAYS },
} satisfies ActionRules<PasskeyAction, PasskeyFacts>;

export const PasskeyActionsSchema = actionsSchema(PASSKEY_ACTION_NAMES, PASSKEY_ACTIONS);

export const FACTOR_ACTION_NAMES = ['add-passkey', 'add-totp', 'remove-totp', 'renew-codes'] as const;
export type FactorAction = (typeof FACTOR_ACTION_NAMES)[number];

/** The facts that decide about the second factors of a login. */
export interface FactorFacts {
  /** The login belongs to the account of the caller. */
  isOwn: boolean;
  /** The caller came by this login. */
  isOwnLogin: boolean;
  hasTotp: boolean;
  /** There are codes by time or passkeys. */
  hasAny: boolean;
}

/** The actions of the second factors of a login. The commands refuse by these rules. */
export const FACTOR_ACTIONS = {
  'add-passkey': {
    route: 'POST /accounts/:id/passkeys/options',
    refuse: ({ isOwnLogin }: Pick<FactorFacts, 'isOwnLogin'>) => (isOwnLogin ? null : NOT_ALLOWED),
  },
  'add-totp': {
    route: 'POST /accounts/:id/totp',
    refuse: ({ isOwnLogin, hasTotp }: Pick<FactorFacts, 'isOwnLogin' | 'hasTotp'>) => {
      if (!isOwnLogin) return NOT_ALLOWED;
      return hasTotp ? mistake('totp-there') : null;
    },
  },
  'remove-totp': {
    route: 'DELETE /accounts/:id/totp',
    refuse: ({ isOwn, isOwnLogin, hasTotp }: Omit<FactorFacts, 'hasAny'>) => {
      if (isOwn && !isOwnLogin) return NOT_ALLOWED;
      return hasTotp ? null : ('nothing-to-do' as const);
    },
  },
  'renew-codes': {
    route: 'POST /accounts/:id/recovery-codes',
    refuse: ({ isOwnLogin, hasAny }: Pick<FactorFacts, 'isOwnLogin' | 'hasAny'>) => {
      if (!isOwnLogin) return NOT_ALLOWED;
      return hasAny ? null : mistake('second-factor-first');
    },
  },
} satisfies ActionRules<FactorAction, FactorFacts>;

export const FactorActionsSchema = actionsSchema(FACTOR_ACTION_NAMES, FACTOR_ACTIONS);

/** The actions of the caller on a passkey of an account. */
export function actionsOfPasskey(caller: Caller, accountId: string): PasskeyAction[] {
  const isOwn = isAccountOf(caller, accountId);
  return actionsFor(PASSKEY_ACTION_NAMES, PASSKEY_ACTIONS, caller, { accountId }, { isOwn });
}

/** The actions of the caller on the second factors of a login of an account. */
export function actionsOfFactors(
  caller: Caller,
  accountId: string,
  facts: Omit<FactorFacts, 'isOwn'>,
): FactorAction[] {
  const isOwn = isAccountOf(caller, accountId);
  return actionsFor(FACTOR_ACTION_NAMES, FACTOR_ACTIONS, caller, { accountId }, { isOwn, ...facts });
}

function isAccountOf(caller: Caller, accountId: string): boolean {
  return caller.kind === 'account' && caller.accountId === accountId;
}
