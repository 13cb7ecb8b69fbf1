import { translate } from '@hlid/protocol/base/texts';
import type { DISPUTE_MAIL_EN } from './en.ts';

export const DISPUTE_MAIL_IS = translate<typeof DISPUTE_MAIL_EN>()({
  greeting: 'Góðan dag.',
  subject: {
    upheld: 'Fallist á andmælin',
    rejected: 'Svar við andmælum',
    received: 'Andmælin eru komin',
    message: 'Skilaboð um andmælin',
  },
  upheld: 'Við höfum skoðað andmælin og föllumst á þau.',
  voided: 'Ekkert þarf að greiða fyrir dvölina.',
  rejected: 'Við höfum skoðað andmælin og getum ekki fallist á þau. Upphæðin stendur.',
  received:
    'Andmælin eru komin. Við svörum fyrir {by}. Þangað til er ekkert skuldfært sjálfkrafa og ekkert bætist við.',
  see: 'Sjáðu stöðuna eða bættu einhverju við:',
  waived: '{amount} dragast frá skuldinni.',
  refunded: '{amount} verða endurgreiddar á sama hátt og greitt var.',
  credited: '{amount} eru kreditfærðar á reikningnum.',
  invoice: 'Reikningur nr. {number}',
});
