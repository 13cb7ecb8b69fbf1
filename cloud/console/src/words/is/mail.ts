import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/mail.ts';

export const mail = translate<typeof en.mail>()({
  title: 'Póstur',
  subject: 'Efni',
  to: 'Til',
  kind: 'Tegund',
  kinds: {
    receipt: 'Kvittun',
    invoice: 'Reikningur',
    'recover-password': 'Nýtt lykilorð',
    invitation: 'Boð um aðgang',
    alarm: 'Viðvörun',
    'driver-link': 'Innskráningarhlekkur',
    driver: 'Til ökumanns',
    dispute: 'Svar við andmælum',
    reminder: 'Innheimtubréf',
  },
  status: 'Staða',
  every: 'Allar stöður',
  statuses: {
    waiting: 'Bíður',
    sent: 'Sent',
    failed: 'Mistókst',
  },
  when: 'Búið til',
  sent: 'Sent',
  nextTry: 'Næsta tilraun',
  attempts: 'Tilraunir',
  error: 'Síðasta villa',
  hidden: 'Textinn geymir innskráningarhlekk og er ekki sýndur.',
  againTo: 'Senda aftur á {to}',
  queued: 'Þetta er sent aftur',
  empty: 'Enginn póstur',
  emptyHint: 'Hér eru kvittanir, reikningar og viðvaranir sem bíða eða hafa verið sendar.',
});
