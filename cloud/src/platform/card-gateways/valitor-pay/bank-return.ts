import { z } from 'zod';
import type { Authentication, GatewayState } from '../gateway.ts';

/**
 * The data of 3-D Secure that the charge repeats. The values are kept as they came: clients do not agree
 * which number belongs to which name of an mdStatus.
 */
export interface VerificationData {
  mdStatus: string;
  cavv?: string;
  xid?: string;
  dsTransId?: string;
}

type Verdict = 'full' | 'not-enrolled' | 'fraud' | 'failed';

/**
 * mdStatus as a number, and by the names of API version 2.0. Full: authenticated, or an attempt that the bank answers
 * for. 5 (unavailable), 6 and 7 (errors), 9 (pending) and 0 (not authenticated) are among what fails.
 */
const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['1', 'full'],
  ['4', 'full'],
  ['MdFullyAuthenticated', 'full'],
  ['MdAttempt', 'full'],
  ['2', 'not-enrolled'],
  ['3', 'not-enrolled'],
  ['MdNotEnrolled', 'not-enrolled'],
  ['8', 'fraud'],
]);

const StateSchema = z.object({
  mdStatus: z.string().min(1),
  cavv: z.string().min(1).optional(),
  xid: z.string().min(1).optional(),
  dsTransId: z.string().min(1).optional(),
});

/** No value of a return form is longer than this, by far. */
const MAX_LENGTH = 256;

/**
 * The name of the order, which a driver's browser gets and brings back unchanged. 254 characters at most, in
 * base64.
 */
export function mdOf(orderId: string): string {
  return Buffer.from(orderId).toString('base64');
}

/**
 * Reads the form that the bank posts to us ("Card verification", the callback). It comes through the driver's
 * browser, so only `MD` ties it to this order; the signed address of the post is checked before.
 *
 * Its `digest` and `signature` are not checked. Modirum's manual ("MPI Merchant Interface v4") makes the one
 * with a secret of the MPI's merchant, and the other with the key of the MPI; here that merchant is Valitor,
 * which gives its own merchants neither the secret nor the certificate. So a form proves nothing by itself.
 * What it claims is proved otherwise: authenticated and attempted (1, 4) by `cavv`, which the card's bank
 * checks at the charge; a card that is not enrolled (2, 3) by Valitor's own answer about the card.
 *
 * @param mayBeUnenrolled whether the card may pay without 3-D Secure: the operator accepts that, and so did
 *   Valitor's answer
 */
export function readBankReturn(
  orderId: string,
  fields: Readonly<Record<string, string>>,
  mayBeUnenrolled: boolean,
): Authentication {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const field = (name: string) => byName.get(name.toLowerCase()) || undefined;
  const failed = (code: string): Authentication => ({ kind: 'declined', reason: 'not-authenticated', code });
  if (field('MD') !== mdOf(orderId)) return failed('MD');
  const mdStatus = field('mdStatus');
  if (mdStatus === undefined) return failed('no mdStatus');
  const code = `mdStatus ${/^\w{1,40}$/.test(mdStatus) ? mdStatus : '?'}`;
  const verdict = VERDICTS.get(mdStatus) ?? 'failed';
  if (verdict === 'fraud') return { kind: 'declined', reason: 'security', code };
  if (verdict === 'failed') return failed(code);
  if (verdict === 'not-enrolled' && !mayBeUnenrolled) return failed(code);
  const state = {
    mdStatus,
    cavv: field('cavv'),
    xid: field('xid'),
    dsTransId: field('TDS2.dsTransID'),
  };
  const known = Object.entries(state).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  if (known.some(([, value = '']) => value.length > MAX_LENGTH)) return failed(code);
  const verification = verificationData(Object.fromEntries(known), mayBeUnenrolled);
  return verification === null
    ? failed(`${code}, incomplete`)
    : { kind: 'authenticated', state: { ...verification } };
}

/**
 * The data for the charge, from the stored state. Null: the state does not suffice for a charge. All four
 * values are needed if the bank is liable for the payment; a card without 3-D Secure has only its mdStatus.
 */
export function verificationData(state: GatewayState, mayBeUnenrolled: boolean): VerificationData | null {
  const { data } = StateSchema.safeParse(state);
  if (data === undefined) return null;
  const verdict = VERDICTS.get(data.mdStatus);
  if (verdict === 'not-enrolled') return mayBeUnenrolled ? withoutUndefined(data) : null;
  const { cavv, xid, dsTransId } = data;
  if (verdict !== 'full' || cavv === undefined || xid === undefined || dsTransId === undefined) return null;
  return withoutUndefined(data);
}

function withoutUndefined({ mdStatus, cavv, xid, dsTransId }: z.infer<typeof StateSchema>): VerificationData {
  return {
    mdStatus,
    ...(cavv !== undefined && { cavv }),
    ...(xid !== undefined && { xid }),
    ...(dsTransId !== undefined && { dsTransId }),
  };
}
