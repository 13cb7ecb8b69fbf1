import type { RefusalWords } from '../say-refusal.ts';
import type { PEOPLE_EN } from './people-en.ts';

export const PEOPLE_IS: Pick<RefusalWords, keyof typeof PEOPLE_EN> = {
  'wrong-login': 'Rangt netfang, kennitala eða lykilorð.',
  'browser-login-needed': 'Þessi innskráning krefst staðfestingar í tveimur skrefum. Skráðu þig inn í vafra.',
  'wrong-proof': 'Þetta er ekki rétt, eða hefur verið notað áður.',
  'passkey-refused': 'Aðgangslykillinn var ekki samþykktur, eða tíminn rann út. Byrjaðu aftur.',
  'no-session-to-prove': 'Þetta á aðeins við um innskráningu í vafra.',
  'email-taken': ({ accountId }) => `Aðgangurinn ${accountId} notar þetta netfang nú þegar.`,
  'ssn-taken': ({ accountId }) => `Aðgangurinn ${accountId} notar þessa kennitölu nú þegar.`,
  'driver-email-taken': 'Annar ökumaður er með þetta netfang.',
  'customer-taken': 'Viðskiptavinur með þessa kennitölu er þegar til.',
};
