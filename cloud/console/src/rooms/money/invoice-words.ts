import { roomWords } from '../../words/words.ts';

/** Words about invoices, their refunds, and billing runs. */
export const INVOICE = roomWords('money').invoice;
