import type { MistakePath } from '@hlid/protocol/base/mistakes/any-mistake';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import {
  type AccountRole,
  type Caller,
  coversRights,
  hasPermission,
  type OperatorRights,
  type Permission,
  type TokenRole,
} from '../../platform/http/caller.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';
import { EVENT_PERMISSIONS } from '../../records/integration-events/event-permissions.ts';
import {
  INTEGRATION_EVENT_TYPES,
  type IntegrationEventType,
} from '../../records/webhooks/integration-event-table.ts';
import { allowanceOf, isLarger } from './allowance.ts';
import { ROUTE_ACCESS } from './route-access.ts';

/*
 * No caller gives what they do not have. Whatever an operator gives (an account, a token, units, terms of
 * payment, a webhook …) is worth rights. These are the permissions that a person needs to do the same as the
 * receiver of the gift, at the same sites. The giver must have them. Others than operators give permits only,
 * within their own allowance (permit-allowance.ts).
 */

/** A gift that is worth nothing. */
const NOTHING: OperatorRights = { permissions: [], siteIds: [] };

/**
 * The rule. @param path the field that gives; @param worth the rights that the gift is worth
 *
 * @returns the mistakes if the giver does not have them
 */
export function giftMistakes(caller: Caller, path: string | MistakePath, worth: OperatorRights): Mistake[] {
  return mayGive(caller, worth) ? [] : [mistake('give-what-you-have', path)];
}

/** Machines and parts of the cloud act within their own limits, or for no particular person. */
function mayGive(caller: Caller, worth: OperatorRights): boolean {
  if (caller.kind !== 'account' || caller.role !== 'operator') return true;
  const givesNothing = worth.permissions?.length === 0 && worth.siteIds?.length === 0;
  return givesNothing || coversRights(caller.rights, worth);
}

/** The part of an account that decides what its holder can do. */
interface Worthy {
  role: AccountRole;
  permissions: readonly Permission[] | null;
  siteIds: readonly string[] | null;
  options: AccountOptions;
}

/** The worth of an operator is its rights; that of another account is the permits that it may give. */
function worthOfAccount({ role, permissions, siteIds, options }: Worthy): OperatorRights {
  return role === 'operator' ? { permissions, siteIds } : worthOfPermits(options);
}

function worthOfPermits(options: AccountOptions): OperatorRights {
  const { max, sites } = allowanceOf(options);
  const isManager = options.managesStaff === true;
  if (max === 0 && !isManager) return NOTHING;
  const permits: Permission[] = max === 0 ? [] : ['visits'];
  return { permissions: isManager ? [...permits, 'people'] : permits, siteIds: sites };
}

/**
 * Whether an operator may manage an account, give it another login, or set its password. The account may do
 * no more than the operator, who would otherwise gain its rights.
 */
export function mayManage(rights: OperatorRights, account: Worthy): boolean {
  const worth = worthOfAccount(account);
  return worth === NOTHING || coversRights(rights, worth);
}

/** The mistakes of a new account's rights, or of a change of them. @param before null: it is new */
export function accountGiftMistakes(caller: Caller, before: Worthy | null, after: Worthy): Mistake[] {
  if (after.role === 'operator') {
    // Each part is checked by itself, so that a form can show which one.
    const { permissions, siteIds } = after;
    return [
      ...giftMistakes(caller, 'permissions', { permissions, siteIds: [] }),
      ...giftMistakes(caller, 'siteIds', { permissions: [], siteIds }),
    ];
  }
  const isSameRole = before !== null && before.role !== 'operator';
  const isNewManager = after.options.managesStaff === true && before?.options.managesStaff !== true;
  const isMore = isNewManager || isLarger(allowanceOf(before?.options ?? {}), allowanceOf(after.options));
  if (isSameRole && !isMore) return [];
  return giftMistakes(caller, 'options', worthOfPermits(after.options));
}

/** The options of a new account that the caller does not set: never more than its maker has. */
export function optionsWithin(caller: Caller, role: AccountRole, options: AccountOptions): AccountOptions {
  if (caller.kind !== 'account' || caller.role !== 'operator' || role === 'operator') return options;
  const { rights } = caller;
  const isSilent = options.maxPermits === undefined && options.permitSites === undefined;
  if (isSilent && !hasPermission(rights, 'visits')) return { ...options, maxPermits: 0 };
  if (rights.siteIds === null || options.permitSites !== undefined) return options;
  return { ...options, permitSites: [...rights.siteIds] };
}

/** The mistakes of a machine's token: it is worth the permissions of the routes that it may call. */
export function tokenGiftMistakes(
  caller: Caller,
  { role, options }: { role: TokenRole; options?: AccountOptions | undefined },
): Mistake[] {
  if (role === 'whitelist') return giftMistakes(caller, 'options', worthOfPermits(options ?? {}));
  return giftMistakes(caller, 'role', { permissions: PERMISSIONS_OF_TOKEN[role], siteIds: null });
}

const PERMISSIONS_OF_TOKEN: Readonly<Record<Exclude<TokenRole, 'whitelist'>, readonly Permission[]>> = {
  webhook: permissionsOf('webhook'),
  // Its own routes find visits and take payments.
  kiosk: [...new Set<Permission>([...permissionsOf('kiosk'), 'visits', 'money'])],
  // It reads the logins of every site's machines.
  broker: ['devices'],
};

function permissionsOf(role: TokenRole): Permission[] {
  const needed = Object.values(ROUTE_ACCESS)
    .filter(({ who }) => who.includes(`${role}-token`))
    .flatMap(({ operators }) => [operators?.needed ?? 'any'].flat());
  return [...new Set(needed)].filter((one) => one !== 'any' && one !== 'own');
}

/** A camera's token posts reads, which open gates. */
export function photoTokenGiftMistakes(caller: Caller, siteId: string): Mistake[] {
  return giftMistakes(caller, 'cameraId', { permissions: ['devices'], siteIds: [siteId] });
}

/** A webhook sends what its types show to an address of its maker's choice. */
export function webhookGiftMistakes(
  caller: Caller,
  { types, siteId }: { types: readonly IntegrationEventType[] | null; siteId: string | null },
): Mistake[] {
  const shown = (types ?? INTEGRATION_EVENT_TYPES).map((type) => EVENT_PERMISSIONS[type]);
  const worth = { permissions: [...new Set(shown)], siteIds: siteId === null ? null : [siteId] };
  return giftMistakes(caller, 'types', worth);
}

/** Units that are paid in advance, where their product is good. */
export function quotaGiftMistakes(caller: Caller, siteId: string | null): Mistake[] {
  return giftMistakes(caller, [], {
    permissions: ['people', 'money'],
    siteIds: siteId === null ? null : [siteId],
  });
}

/** Terms by which a customer pays, as far as they are given. */
interface Terms {
  billingMethod: 'daily' | 'monthly' | 'whitelist' | null;
  billingSsn: string | null;
  discount: number;
}

/** Terms count at every site: their holder drives out and pays later, less, or through another payer. */
export function termsGiftMistakes(caller: Caller, before: Terms, after: Terms): Mistake[] {
  const mistakes: Mistake[] = [];
  const { billingMethod, billingSsn, discount } = after;
  const everywhere = (...permissions: Permission[]) => ({ permissions, siteIds: null });
  if (billingMethod !== null && billingMethod !== before.billingMethod) {
    const worth = billingMethod === 'whitelist' ? everywhere('money', 'visits') : everywhere('money');
    mistakes.push(...giftMistakes(caller, 'options.billingMethod', worth));
  }
  if (billingSsn !== null && billingSsn !== before.billingSsn) {
    mistakes.push(...giftMistakes(caller, 'options.billingSsn', everywhere('money')));
  }
  if (discount > before.discount) {
    mistakes.push(...giftMistakes(caller, 'options.discount', everywhere('money')));
  }
  return mistakes;
}
