import type { DecisionReason } from '../decision.ts';

/** What a driver at the gate is told, by reason of the decision. */
export const DECISION_WORDS: Record<'is' | 'en', Record<DecisionReason, string>> = {
  en: {
    'need-plate': 'We could not read your plate',
    blocklisted: 'Please call for help',
    permit: 'Welcome',
    'permits-only': 'Permit holders only',
    full: 'The car park is full',
    welcome: 'Welcome',
    'no-visit': 'Have a good journey',
    'ambiguous-visit': 'Have a good journey',
    whitelisted: 'Have a good journey',
    quota: 'Have a good journey',
    'nothing-due': 'Nothing to pay. Have a good journey',
    paid: 'Paid. Have a good journey',
    'company-invoice': 'Your company pays. Have a good journey',
    'owner-invoice': 'We will send an invoice. Have a good journey',
    'need-payment': 'Please pay at the kiosk',
  },
  is: {
    'need-plate': 'Ekki tókst að lesa númerið',
    blocklisted: 'Vinsamlegast hringdu eftir aðstoð',
    permit: 'Velkomin',
    'permits-only': 'Aðeins fyrir leyfishafa',
    full: 'Bílastæðið er fullt',
    welcome: 'Velkomin',
    'no-visit': 'Góða ferð',
    'ambiguous-visit': 'Góða ferð',
    whitelisted: 'Góða ferð',
    quota: 'Góða ferð',
    'nothing-due': 'Ekkert að greiða. Góða ferð',
    paid: 'Greitt. Góða ferð',
    'company-invoice': 'Fyrirtækið greiðir. Góða ferð',
    'owner-invoice': 'Við sendum reikning. Góða ferð',
    'need-payment': 'Vinsamlegast greiddu í greiðsluvélinni',
  },
};
