import type { ServerResponse } from 'node:http';
import type { KioskFault } from '@hlid/protocol/kiosk-api';
import { paymentReasonText } from '@hlid/protocol/words/payment-words';
import { z } from 'zod';
import { sendJson } from './send-json.ts';

/** What a kiosk's call comes to. */
export type KioskAnswer =
  | { status: 200; body: object }
  | { fault: KioskFault; message?: string }
  | { picture: { contentType: string; bytes: Buffer } }
  | { stream: string };

const STATUS: Record<KioskFault, number> = {
  'not-found': 404,
  'bad-input': 400,
  'too-many-requests': 429,
  'terminal-busy': 409,
  'terminal-away': 503,
  'payment-under-way': 409,
  'nothing-due': 409,
  'too-little': 400,
  'not-for-sale': 400,
  'amount-changed': 409,
  'key-reused': 422,
  'visit-ended': 409,
  'not-in-doubt': 409,
  'no-terminal': 503,
  failed: 500,
};

/** The call is not as it should be; in words for who wrote it. */
export function mistaken(error: z.ZodError): KioskAnswer {
  return { fault: 'bad-input', message: z.prettifyError(error) };
}

export function sendFault(response: ServerResponse, fault: KioskFault, message = textOf(fault)): void {
  sendJson(response, STATUS[fault], { code: fault, messages: [message] });
}

function textOf(fault: KioskFault): string {
  switch (fault) {
    case 'not-found':
      return 'There is nothing here.';
    case 'bad-input':
      return 'This cannot be understood.';
    case 'too-many-requests':
      return 'Too many looked for visits just now. Try again in a minute.';
    case 'not-in-doubt':
      return 'No car waits at an exit for this visit of which it is doubtful whether it is the one.';
    case 'failed':
      return 'This could not be done; the log says why.';
    default:
      return paymentReasonText(fault, 'en');
  }
}
