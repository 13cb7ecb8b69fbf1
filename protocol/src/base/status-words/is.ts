import { translate } from '../texts.ts';
import type { STATUS_EN } from './en.ts';

export const STATUS_IS = translate<typeof STATUS_EN>()({
  visit: {
    new: 'Inni',
    'need-payment': 'Ógreitt',
    'need-plate': 'Vantar númer',
    completed: 'Lokið',
  },
  settlement: {
    whitelisted: 'Frítt með heimild',
    kiosk: 'Greitt',
    'company-invoice': 'Reikningur á fyrirtæki',
    'owner-invoice': 'Reikningur á eiganda',
    failed: 'Greiðsla mistókst',
    void: 'Fellt niður',
  },
  payment: {
    created: 'Hafin',
    sent: 'Send',
    approved: 'Samþykkt',
    declined: 'Hafnað',
    cancelled: 'Hætt við',
    unknown: 'Óstaðfest',
    settled: 'Frágengin',
    reversed: 'Bakfærð',
  },
  invoice: {
    paid: 'Greiddur',
    refunded: 'Endurgreiddur',
    incomplete: 'Greiðsla óstaðfest',
    failed: 'Greiðsla mistókst',
    draft: 'Ógreiddur',
  },
  accounting: { draft: 'Ósóttur', completed: 'Bókaður', failed: 'Hafnað' },
  lane: { now: 'Bíll núna', waiting: 'Bíll bíður', idle: 'Enginn bíll' },
  gate: {
    closed: 'Hlið lokað',
    opening: 'Hlið opnast',
    open: 'Hlið opið',
    'held-open': 'Hliði haldið opnu',
    none: 'Ekkert hlið',
    'kept-closed': 'Hliði haldið lokuðu',
    unknown: 'Staða hliðs óþekkt',
  },
  gateMode: { automatic: 'Sjálfvirkt aftur', 'held-open': 'Haldið opnu', 'kept-closed': 'Haldið lokuðu' },
  passage: {
    opened: 'Opnað',
    opening: 'Opnast',
    'let-through': 'Hleypt í gegn',
    'opened-by-hand': 'Opnað af starfsmanni',
    'not-opened': 'Opnaðist ekki',
    unconfirmed: 'Ætti að vera opið',
    'kept-closed': 'Haldið lokuðu',
  },
});
