import { translate } from '../../texts.ts';
import type { PAYMENT_REASONS_EN } from './en.ts';

export const PAYMENT_REASONS_IS = translate<typeof PAYMENT_REASONS_EN>()({
  refused: 'Bankinn hafnaði kortinu. Prófaðu annað kort.',
  'card-unreadable': 'Ekki tókst að lesa kortið. Reyndu aftur, eða notaðu annað kort.',
  'card-expired': 'Kortið er útrunnið. Prófaðu annað kort.',
  'card-unsupported': 'Ekki er tekið við þessu korti hér. Prófaðu annað kort.',
  'wrong-pin': 'PIN-númerið var rangt. Reyndu aftur.',
  'no-connection': 'Posinn nær ekki sambandi við bankann. Reyndu aftur eftir smástund.',
  amount:
    'Posinn var með aðra upphæð, til dæmis með þjórfé, og henni var hafnað. Ekkert var gjaldfært. Reyndu aftur, án þjórfjár.',
  'driver-gone': 'Hætt var við greiðsluna. Ekkert var gjaldfært.',
  'not-booked': 'Greiðslan fór ekki í gegn. Ekkert var gjaldfært.',
  'terminal-busy': 'Posinn er í notkun. Bíddu þar til hann er laus.',
  'terminal-away': 'Ekki næst samband við posann. Reyndu aftur, eða hringdu eftir aðstoð.',
  'no-terminal': 'Þessi posi er ekki til.',
  'payment-under-way': 'Greiðsla stendur yfir. Ekki greiða aftur.',
  'nothing-due': 'Ekkert er ógreitt.',
  'too-little': 'Þetta er minna en á að greiða. Veldu fleiri daga eða greiddu upphæðina.',
  'not-for-sale': 'Þetta er ekki hægt að kaupa fyrir þennan bíl.',
  'amount-changed': 'Upphæðin hefur breyst í millitíðinni.',
  'key-reused': 'Þessi greiðsla var hafin fyrir annað. Byrjaðu aftur.',
  'visit-ended': 'Bíllinn er farinn.',
  'not-found': 'Þessi dvöl finnst ekki hér.',
  unknown: 'Við erum að athuga greiðsluna. Ekki greiða aftur.',
  other: 'Greiðslan fór ekki í gegn. Reyndu aftur, eða hringdu eftir aðstoð.',
});
