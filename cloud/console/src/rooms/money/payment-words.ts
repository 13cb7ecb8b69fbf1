import { roomWords } from '../../words/words.ts';

/** Words about card payments that need a person, and what each answer does. */
export const PAYMENT = roomWords('money').payment;

export type Answer = keyof typeof PAYMENT.answers;
