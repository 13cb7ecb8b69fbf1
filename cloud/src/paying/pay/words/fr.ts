import { translate } from '@hlid/protocol/base/texts';
import type { PAY_EN } from './en.ts';

export const PAY_FR = translate<typeof PAY_EN>()({
  afterwards: {
    beforeFee: 'Payez avant le {by}. Ensuite, {fee} s’ajoutent.',
    beforeNotice:
      'Vous pouvez payer ici jusqu’au {by}. Sinon, nous envoyons un avis, et {fee} s’ajoutent sans paiement dans ce délai après l’avis : {length}.',
    free: 'Vous pouvez payer ici jusqu’au {by}, sans supplément. Ensuite, contactez-nous.',
  },
  sign: {
    title: 'Payez avec votre téléphone',
    how: 'Scannez le code et saisissez votre plaque.',
  },
});
