import { roomWords } from '../../words/words.ts';

export const CUSTOMER = roomWords('customers').customer;
