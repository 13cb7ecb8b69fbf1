import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_IS = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Góðan dag.',
  subject: {
    upheld: 'Fallist á andmælin',
    rejected: 'Svar við andmælum',
  },
  upheld: 'Við höfum skoðað andmælin og föllumst á þau.',
  voided: 'Ekkert þarf að greiða fyrir dvölina.',
  rejected: 'Við höfum skoðað andmælin og getum ekki fallist á þau. Upphæðin stendur.',
  invoice: 'Reikningur nr. {number}',
});
