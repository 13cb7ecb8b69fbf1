import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Tx } from '../../platform/db/db.ts';
import { searchKey } from '../../platform/db/search-key.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { mergeSettings } from '../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import {
  type CustomerRow,
  insertCustomer,
  updateCustomerRow,
} from '../../records/customers/customer-store.ts';
import { findCustomer, findCustomerBySsn } from '../../records/customers/find-customer.ts';
import { auditOf } from '../audit/audit.ts';
import { termsGiftMistakes } from '../auth/gifts.ts';
import { type CustomerEdit, CustomerOptionsSchema, customerViewFrom, type NewCustomer } from './customer.ts';

const auditCustomer = auditOf('customer', customerViewFrom);

/** The terms of a customer that pays like any other. */
const NO_TERMS = { billingMethod: null, billingSsn: null, discount: 0 };

export type CustomerResult = { ok: true; customer: CustomerRow } | Refused;

/** Adds a customer, within the transaction that may add its account too. Refuses before it writes anything. */
export async function createCustomer(tx: Tx, actor: Actor, body: NewCustomer): Promise<CustomerResult> {
  const { options: named, ...fields } = body;
  const merged = mergeSettings(CustomerOptionsSchema, {}, named, 'options');
  if (!merged.ok) return merged;
  const { billingMethod, ...options } = merged.settings;
  const customer = withKeys({
    id: newId(),
    ssn: null,
    name: null,
    nameKey: '',
    email: null,
    emailKey: '',
    phone: null,
    ...omitUndefined(fields),
    language: fields.language,
    billingMethod,
    options,
    createdAt: actor.at,
    modifiedAt: actor.at,
  });
  const given = termsGiftMistakes(actor.caller, NO_TERMS, merged.settings);
  if (given.length > 0) return refusedInput(...given);
  const same = await takenSsn(tx, customer);
  if (same !== null) return same;
  await insertCustomer(tx.q, customer);
  await auditCustomer(tx, actor, 'customer.create', null, customer);
  return { ok: true, customer };
}

/**
 * Changes the given fields. The customer's own people change its contact data; the rest is for operators.
 *
 * @param onBillingChanged runs in the same transaction when the customer's way of billing changes
 */
export async function updateCustomer(
  db: Db,
  actor: Actor,
  id: string,
  edit: CustomerEdit,
  onBillingChanged: (tx: Tx, customerId: string, at: UtcTime) => Promise<void>,
): Promise<{ ok: true; customer: CustomerRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const own = ownRows(actor.caller);
    const before = await findCustomer(tx.q, id, own);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const { options: given, id: givenId, ...fields } = edit;
    const { billingMethod: wasBilled, options: wasGiven } = before;
    const was = { ...wasGiven, billingMethod: wasBilled };
    const merged = mergeSettings(CustomerOptionsSchema, was, given, 'options');
    if (!merged.ok) return merged;
    const { billingMethod, ...options } = merged.settings;
    const edited = withKeys({
      ...before,
      ...omitUndefined(fields),
      billingMethod,
      options,
    });
    if (givenId !== undefined && givenId !== id) return refusedInput(mistake('unchangeable', 'id'));
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, customer: before };
    const mistakes = own.all
      ? termsGiftMistakes(actor.caller, was, merged.settings)
      : operatorsFields(before, edited);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const same = edited.ssn === before.ssn ? null : await takenSsn(tx, edited);
    if (same !== null) return same;
    const customer = { ...edited, modifiedAt: actor.at };
    await updateCustomerRow(tx.q, customer);
    if (customer.billingMethod !== before.billingMethod) await onBillingChanged(tx, id, actor.at);
    await auditCustomer(tx, actor, 'customer.update', before, customer);
    return { ok: true, customer };
  });
}

function withKeys(row: CustomerRow): CustomerRow {
  const { name, email } = row;
  return { ...row, nameKey: searchKey(name ?? ''), emailKey: searchKey(email ?? '') };
}

async function takenSsn({ q }: Tx, { ssn }: CustomerRow): Promise<Refused | null> {
  const same = ssn === null ? null : await findCustomerBySsn(q, ssn);
  if (same === null) return null;
  return {
    ok: false,
    reason: 'already-there',
    id: same.id,
    mistake: mistake('customer-taken'),
  };
}

/** Fields that were changed and that only operators change. */
function operatorsFields(before: CustomerRow, after: CustomerRow): Mistake[] {
  const [was, is] = [customerViewFrom(before), customerViewFrom(after)];
  const { sendInvoicesToEmail: _was, ...wasOptions } = was.options;
  const { sendInvoicesToEmail: _is, ...isOptions } = is.options;
  const changed = [
    ...(['ssn', 'name'] as const).filter((name) => was[name] !== is[name]),
    ...(['billingMethod', 'billingSsn', 'discount', 'sendInvoicesToPublishingSystem'] as const)
      .filter((name) => wasOptions[name] !== isOptions[name])
      .map((name) => `options.${name}`),
  ];
  return changed.map((name) => mistake('operators-change', name));
}
