import { STATUS_WORDS } from '@hlid/protocol/base/status-words/status-words';
import { LANGUAGE } from './words.ts';

/** The words for states of visits, payments, invoices, lanes and gates. */
export const STATUS = STATUS_WORDS[LANGUAGE];
