import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_IS: Translation<typeof OBJECTION_EN> = {
  title: 'Andmælin þín',
  ended: 'Hlekkurinn er útrunninn. Hringdu í okkur ef eitthvað er óljóst.',
  by: 'Við svörum fyrir: {at}.',
  driver: 'Þú',
  office: 'Skrifstofan',
  message: 'Bæta við skilaboðum',
  send: 'Senda skilaboð',
  withdraw: 'Draga andmælin til baka',
  withdrawSure: 'Já, draga til baka: ég greiði',
  given: {
    void: 'Ekkert þarf að greiða fyrir dvölina.',
    waive: '{amount} dragast frá skuldinni.',
    refund: '{amount} verða endurgreiddar á sama hátt og greitt var.',
    credit: '{amount} eru kreditfærðar á reikningnum.',
  },
};
