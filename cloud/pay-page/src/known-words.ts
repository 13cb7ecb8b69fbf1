import { LANGUAGES } from '@hlid/protocol/base/language';
import type { PayDue, PayPayment, PaySite } from '@hlid/protocol/pages/pay-api';

const STANDINGS: readonly PayDue['standing'][] = [
  ...(['due', 'nothing-due', 'paid', 'whitelisted', 'invoiced', 'checking'] as const),
  ...(['ended', 'too-late', 'no-price'] as const),
];
const STATES: readonly PayPayment['state'][] = [
  ...(['created', 'sent', 'approved', 'declined', 'cancelled', 'unknown', 'settled', 'reversed'] as const),
];

const DISPUTES: readonly NonNullable<PayDue['dispute']>['state'][] = [
  'open',
  'upheld',
  'rejected',
  'withdrawn',
];

interface Words {
  dispute?: PayDue['dispute'];
  standing?: PayDue['standing'];
  state?: PayPayment['state'];
  site?: PaySite;
}

/**
 * An answer in words that this page knows: the cloud may be newer. A standing is shown as such, an outcome is being
 * checked, and a way to take cards that the page does not know is none.
 */
export function known<T extends object>(answer: T): T {
  const read: T & Partial<Pick<PaySite, 'language' | 'gateway'>> & Words = { ...answer };
  const { standing, state, language, gateway, site, dispute } = read;
  if (standing !== undefined && !STANDINGS.includes(standing)) read.standing = 'other';
  if (state !== undefined && !STATES.includes(state)) read.state = 'unknown';
  if (language !== undefined && !LANGUAGES.includes(language)) read.language = 'en';
  if (gateway && gateway.cardInput !== 'card' && gateway.cardInput !== 'encrypted') read.gateway = null;
  if (dispute && !DISPUTES.includes(dispute.state)) read.dispute = { ...dispute, state: 'other' };
  if (site) read.site = known(site);
  return read;
}
