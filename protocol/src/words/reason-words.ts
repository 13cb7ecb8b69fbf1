import type { DecisionReason } from '../decision.ts';

/** What a person who watches the gates reads, by reason of the decision: why, not what to do. */
export const REASON_WORDS: Record<'is' | 'en', Record<DecisionReason, string>> = {
  en: {
    'need-plate': 'Plate not readable',
    blocklisted: 'On the blocklist',
    permit: 'Permit',
    'permits-only': 'No permit, permit holders only',
    full: 'Car park full',
    welcome: 'Visitor',
    'no-visit': 'No visit found',
    'ambiguous-visit': 'More than one visit fits',
    whitelisted: 'Covered by a permit',
    quota: 'Taken from the quota',
    'nothing-due': 'Nothing due',
    paid: 'Paid',
    'company-invoice': 'Invoice to the company',
    'owner-invoice': 'Invoice to the owner',
    'need-payment': 'Payment due',
  },
  is: {
    'need-plate': 'Númer ólæsilegt',
    blocklisted: 'Á bannlista',
    permit: 'Leyfi',
    'permits-only': 'Ekkert leyfi, aðeins leyfishafar',
    full: 'Bílastæðið fullt',
    welcome: 'Gestur',
    'no-visit': 'Engin heimsókn fannst',
    'ambiguous-visit': 'Fleiri en ein heimsókn kemur til greina',
    whitelisted: 'Leyfi nær yfir heimsóknina',
    quota: 'Tekið af kvóta',
    'nothing-due': 'Ekkert ógreitt',
    paid: 'Greitt',
    'company-invoice': 'Reikningur á fyrirtæki',
    'owner-invoice': 'Reikningur á eiganda',
    'need-payment': 'Ógreitt',
  },
};
