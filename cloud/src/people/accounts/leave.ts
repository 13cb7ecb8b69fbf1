import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Db, Queries } from '../../platform/db/db.ts';
import { writeWhole } from '../../platform/db/write-whole.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../../platform/refused.ts';
import type { AccountRow } from '../../records/accounts/account-store.ts';
import { findAccount, seesAccount } from '../../records/accounts/find-account.ts';
import { countLivePermits, letPermitsEnd } from '../../records/whitelist/let-permits-end.ts';
import { NOT_ALLOWED } from '../auth/record-actions.ts';
import { countTokensOf } from '../auth/tokens.ts';
import { ACCOUNT_ACTIONS, accountFacts } from './account-actions.ts';
import { changeAccount, DENIED } from './change-accounts.ts';
import type { Denied } from './change-logins.ts';

export const LeaveSchema = z
  .strictObject({
    permitsTo: IdSchema.optional().describe(
      'The account that keeps its whitelist entries: an active operator, or an account of the same customer. ' +
        'Absent: they end, unless it is an operator’s, whose entries stay.',
    ),
  })
  .meta({ id: 'Leave', example: { permitsTo: 'b6f0c5…' } });
export type Leave = z.infer<typeof LeaveSchema>;

export const LeavingSchema = z
  .strictObject({
    tokens: z.int().describe('The sessions and tokens that end.'),
    permits: z.int().describe('Its whitelist entries that are valid now or later.'),
    outcome: z.enum(['end', 'pass', 'stay']).describe('What happens to them.'),
  })
  .meta({ id: 'Leaving' });
export type Leaving = z.infer<typeof LeavingSchema>;

type LeaveResult = { ok: true; leaving: Leaving } | Refused | Denied;

/** The records that end if a person leaves, where the call decides nothing about the permits. */
export async function findLeaving(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ ok: true; leaving: Leaving } | typeof NOT_FOUND | Denied> {
  return await db.read(async (q) => {
    const found = await findManaged(q, actor, id);
    return found.ok ? { ok: true, leaving: await leavingOf(q, found.account, actor.at, {}) } : found;
  });
}

/**
 * A person leaves: the account becomes inactive, its sessions and tokens end, and its whitelist entries end or pass to
 * another account. What it has done stays in the audit log under its name.
 */
export async function leave(db: Db, actor: Actor, id: string, { permitsTo }: Leave): Promise<LeaveResult> {
  return await writeWhole(db, async (tx) => {
    const found = await findManaged(tx.q, actor, id);
    if (!found.ok) return found;
    const { account, refusal } = found;
    if (refusal !== null && refusal !== 'nothing-to-do') return refusedInput(refusal);
    const refused = permitsTo === undefined ? null : await refuseSuccessor(tx.q, actor, account, permitsTo);
    if (refused !== null) return refused;
    const leaving = await leavingOf(tx.q, account, actor.at, { permitsTo });
    const left = await changeAccount(tx, actor, account, { status: 'inactive' });
    if (!left.ok) return left;
    if (permitsTo !== undefined) await letPermitsEnd(tx, actor, id, permitsTo);
    return { ok: true, leaving };
  });
}

type LeaveRefusal = ReturnType<typeof ACCOUNT_ACTIONS.leave.refuse>;

async function findManaged(
  q: Queries,
  actor: Actor,
  id: string,
): Promise<{ ok: true; account: AccountRow; refusal: LeaveRefusal } | typeof NOT_FOUND | Denied> {
  const account = await findAccount(q, id);
  if (account === null || !seesAccount(ownRows(actor.caller), account)) return NOT_FOUND;
  const refusal = ACCOUNT_ACTIONS.leave.refuse(await accountFacts(q, actor.caller, account));
  return refusal === NOT_ALLOWED ? DENIED : { ok: true, account, refusal };
}

async function leavingOf(
  q: Queries,
  account: AccountRow,
  now: UtcTime,
  { permitsTo }: Leave,
): Promise<Leaving> {
  const tokens = await countTokensOf(q, account.id, now);
  const permits = await countLivePermits(q, account.id, now);
  return { tokens, permits, outcome: outcomeOf(account, permitsTo) };
}

function outcomeOf({ role }: AccountRow, permitsTo: string | undefined): Leaving['outcome'] {
  if (permitsTo !== undefined) return 'pass';
  return role === 'operator' ? 'stay' : 'end';
}

/** Entries show plates and whereabouts, so they do not pass to another customer. */
async function refuseSuccessor(
  q: Queries,
  actor: Actor,
  account: AccountRow,
  id: string,
): Promise<RefusedInput | Denied | null> {
  const successor = await findAccount(q, id);
  if (successor === null) return refusedInput(mistake('not-found', 'permitsTo', { what: 'account' }));
  const { isManageable, isStaff } = await accountFacts(q, actor.caller, successor);
  if (!isManageable && !isStaff) return DENIED;
  const isFit =
    successor.id !== account.id &&
    successor.status === 'active' &&
    (successor.role === 'operator' || successor.customerId === account.customerId);
  return isFit ? null : refusedInput(mistake('no-successor', 'permitsTo'));
}
