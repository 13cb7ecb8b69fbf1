import { bytesOf, writeBcd } from './bcd-frame.ts';
import { COMMANDS } from './command-names.ts';
import { writeMessage } from './message-frame.ts';
import { type TlvDraft, writeTlv } from './tlv-frame.ts';

/**
 * The configuration bytes of Registration. 02 and 04: we print payment and admin receipts. 08: intermediate
 * status wanted. 10 and 20: no amount and no admin functions at the terminal itself. 80: receipts come as
 * text.
 */
export const CONFIG = { textReceipts: 0xbe, noReceipts: 0x3e } as const;

/** Receipts as blocks, of this width. */
const PRINT_WIDTH = 40;
/** The longest message that we take. */
const LONGEST_APDU = 0xffff;
/** How often the terminal may ask again while an approval is written down (84 9C). */
export const MAX_STATUS_INFOS = 10;
/** The terminal chooses how the card is read. */
const PAYMENT_TYPE = 0x40;
/**
 * The service byte of 06 20: it asks for the status-information of the newest transaction, without printing.
 */
const SERVICE_NO_PRINT = 0x03;

const field = (id: number, value: Uint8Array) => ({ id, value });
const amountFields = (amountMinor: number, currency: number) => [
  field(0x04, writeBcd(amountMinor, 6)),
  field(0x49, writeBcd(currency, 2)),
];
const tlvField = (objects: readonly TlvDraft[]) => field(0x06, writeTlv(objects));

/** Six digits. */
interface WithPassword {
  password: string;
}

export function registration(asked: WithPassword & { currency: number; receipts: boolean }): Uint8Array {
  return writeMessage({
    control: COMMANDS.registration,
    lead: {
      password: bytesOf(asked.password),
      configByte: asked.receipts ? CONFIG.textReceipts : CONFIG.noReceipts,
      currency: writeBcd(asked.currency, 2),
    },
    fields: [
      tlvField([
        ['26', [['0A', bytesOf('06d3')]]],
        ['12', [PRINT_WIDTH]],
        ['1A', [LONGEST_APDU >> 8, LONGEST_APDU & 0xff]],
      ]),
    ],
  });
}

/** @param amountMinor of the currency's own minor unit: ISK has none, and 1500 kr. are 1500 */
export function authorisation(asked: { amountMinor: number; currency: number }): Uint8Array {
  return writeMessage({
    control: COMMANDS.authorisation,
    fields: [
      ...amountFields(asked.amountMinor, asked.currency),
      field(0x19, Uint8Array.of(PAYMENT_TYPE)),
      field(0x02, Uint8Array.of(MAX_STATUS_INFOS)),
    ],
  });
}

export function reversal(
  asked: WithPassword & { receiptNumber: number; amountMinor: number; currency: number },
): Uint8Array {
  return writeMessage({
    control: COMMANDS.reversal,
    lead: { password: bytesOf(asked.password) },
    fields: [
      field(0x87, writeBcd(asked.receiptNumber, 2)),
      ...amountFields(asked.amountMinor, asked.currency),
    ],
  });
}

export function repeatReceipt({ password }: WithPassword): Uint8Array {
  return writeMessage({
    control: COMMANDS.repeatReceipt,
    lead: { password: bytesOf(password) },
    fields: [field(0x03, Uint8Array.of(SERVICE_NO_PRINT)), tlvField([])],
  });
}

export function statusEnquiry({ password }: WithPassword): Uint8Array {
  return writeMessage({ control: COMMANDS.statusEnquiry, lead: { password: bytesOf(password) } });
}

export function endOfDay({ password }: WithPassword): Uint8Array {
  return writeMessage({ control: COMMANDS.endOfDay, lead: { password: bytesOf(password) } });
}

export function initialisation({ password }: WithPassword): Uint8Array {
  return writeMessage({ control: COMMANDS.initialisation, lead: { password: bytesOf(password) } });
}

export function diagnosis(): Uint8Array {
  return writeMessage({ control: COMMANDS.diagnosis });
}

export function abort(): Uint8Array {
  return writeMessage({ control: COMMANDS.abort });
}

export function logOff(): Uint8Array {
  return writeMessage({ control: COMMANDS.logOff });
}

/** 80 00 00. */
export function positive(): Uint8Array {
  return writeMessage({ control: 0x8000 });
}

/** 84 and a code. */
export function negative(code: number): Uint8Array {
  return writeMessage({ control: 0x8400 | code });
}
