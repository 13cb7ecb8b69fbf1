import { PAYMENT_REASON_WORDS } from '../payment-words.ts';
import type { RefusalWords } from '../say-refusal.ts';
import type { MONEY_EN } from './money-en.ts';

const { 'not-found': _visit, ...PAYMENT_REASONS } = PAYMENT_REASON_WORDS.is;

export const MONEY_IS: Pick<RefusalWords, keyof typeof MONEY_EN> = {
  ...PAYMENT_REASONS,
  'see-invoice': ({ id }) => `Reikningur: ${id}.`,
  'ask-status': ({ path }) => `Stöðuna má sækja á ${path}.`,
  'provider-away': 'Ekki næst samband við greiðslumiðlunina. Ekkert var gjaldfært. Reyndu aftur síðar.',
  'provider-not-answered': 'Greiðslumiðlunin hefur ekki svarað enn.',
  'card-not-authenticated': 'Fyrst þarf að auðkenna kortið.',
  'challenge-not-answered': 'Bankinn hefur ekki svarað auðkenningunni enn.',
  'challenge-token-needed': 'Lykil auðkenningarinnar vantar.',
  'step-taken': 'Þetta skref var þegar tekið.',
  'reversal-not-connected': 'Bakfærslan hófst ekki: staðurinn er ekki tengdur.',
  'reversal-unknown':
    'Óvíst er hvort bakfærslan hófst: staðurinn svaraði ekki. Hafi hún hafist breytist greiðslan.',
  'reversal-not-begun': ({ reason }) =>
    `Bakfærslan hófst ekki: ${REVERSAL_FAULTS[reason] ?? 'staðurinn hafnaði henni'}.`,
  'refund-not-possible': 'Greiðslumiðlunin getur ekki endurgreitt þetta. Endurgreiddu á annan hátt.',
  'whole-refund-under-way': 'Verið er að endurgreiða alla greiðsluna.',
  'invoice-refunded': 'Reikningurinn hefur verið endurgreiddur.',
  'no-cards-online': 'Ekki er tekið við kortum á greiðslusíðu þessa staðar.',
  'product-taken': 'Vara af þessari gerð er þegar til fyrir þennan ökutækjaflokk.',
  'units-used': ({ used }) => `Þegar hafa ${used} einingar verið notaðar.`,
  'quota-in-use': 'Einingar hafa þegar verið notaðar.',
  'quota-taken': ({ name }) =>
    `Viðskiptavinurinn á þegar kvótann „${name}“ fyrir þessa vöru. Breyttu fjöldanum í honum.`,
};

const REVERSAL_FAULTS: Readonly<Record<string, string>> = {
  'terminal-busy': 'posinn er í notkun',
  'terminal-away': 'ekki næst samband við posann',
  'no-terminal': 'posinn er ekki lengur á staðnum',
  'not-found': 'greiðslan var ekki tekin á þessum posa',
  'no-refund': 'greiðslumiðlunin getur ekki endurgreitt þetta; endurgreiddu á annan hátt',
  'not-reversible': 'greiðslan er ekki skráð sem frágengin á staðnum',
};
