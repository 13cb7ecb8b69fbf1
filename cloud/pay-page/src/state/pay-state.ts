import type { Language } from '@hlid/protocol/base/language';
import type { DriverCaps } from '@hlid/protocol/pages/driver-api';
import type {
  CardField,
  PayDue,
  PayFault,
  PayPayment,
  PayReason,
  PaySite,
  PaySiteName,
  PayStay,
} from '@hlid/protocol/pages/pay-api';

/** A private plate may be as short. */
export const MIN_PLATE = 2;
export const MAX_PLATE = 12;

/** The object of a payment. The key identifies it, however often it is sent. */
interface PayOrder {
  payment: string;
  stay: string;
  amountMinor: number;
  currency: string;
  /** Days in advance; null: what is due. */
  quantity: number | null;
  /** The caps of payments by the stored card; null: the card is not stored. */
  caps: DriverCaps | null;
  /** Whether the page has shown that the car park cannot be informed of the payment. */
  siteAway?: boolean | undefined;
}

/** A driver's request to store a card: for payments up to these caps, and for whom. */
interface CardStorage {
  caps: DriverCaps;
  email: string;
}

/** A payment that the page was following when it was closed. There is no plate and no card in it. */
export interface Unfinished {
  order: PayOrder;
  siteCode: string;
  language: Language;
}

/** The notice on a step: a fault, or how the last payment ended. */
export type Notice = PayFault | PayReason | 'nothing-charged';

export type CardStep = {
  at: 'card';
  due: PayDue;
  quantity: number | null;
  amountMinor: number;
  notice: Notice | null;
  /** Fields in which the cloud found a mistake. */
  fields: readonly CardField[];
  /** The choice to store the card, from before a try that failed. */
  store: CardStorage | null;
};

export type Step =
  /** The site, or what a link leads to. */
  | { at: 'loading'; plate: string }
  /** The address leads to no site, or the link is too old. */
  | { at: 'no-site'; fault: PayFault }
  /** A payment that was made before; its receipt is shown again. */
  | { at: 'again'; payment: string }
  | { at: 'sites'; sites: readonly PaySiteName[] | null }
  | { at: 'plate'; typed: string; sending: boolean; notice: Notice | null }
  | { at: 'choose'; plate: string; stays: readonly PayStay[] }
  /** The camera read another plate, or an exit waits for this stay in doubt. */
  | { at: 'question'; plate: string; stay: PayStay; sending: boolean; notice: Notice | null }
  | { at: 'exit-opens' }
  | { at: 'not-found'; plate: string }
  | { at: 'due'; stay: string; due: PayDue | null; changed: boolean; notice: Notice | null }
  /** `day`: `YYYY-MM-DD`, `time`: `HH:MM`, on the site's wall. */
  | { at: 'proof'; stay: string; day: string; time: string; sending: boolean; notice: Notice | null }
  | { at: 'days'; due: PayDue; dayPriceMinor: number; quantity: number }
  | CardStep
  | {
      at: 'pay';
      order: PayOrder;
      payment: PayPayment | null;
      /** Null: the page was reloaded, and the card is lost. */
      form: CardStep | null;
      cancelling: boolean;
    }
  | {
      at: 'paid';
      payment: PayPayment;
      /** The spending caps in the payment's request. */
      caps: DriverCaps | null;
      email: string;
      mail: 'no' | 'sending' | 'sent';
      notice: Notice | null;
    };

export type StepAt<At extends Step['at']> = Extract<Step, { at: At }>;

export interface PayState {
  language: Language;
  /** Neither driver nor browser has chosen the language: it is the site's. */
  followsSite: boolean;
  /** Null: not known yet. */
  site: PaySite | null;
  /** The last call reached the cloud. */
  online: boolean;
  step: Step;
  /** The steps before, for the way back. */
  trail: readonly Step[];
}

export type PayAction =
  | { type: 'language'; language: Language }
  | { type: 'online'; online: boolean }
  | { type: 'site'; site: PaySite }
  | { type: 'sites'; sites: readonly PaySiteName[] }
  | { type: 'opened'; site: PaySite; stay: PayStay }
  | { type: 'back' }
  | { type: 'start-over' }
  | { type: 'show-paid'; payment: string }
  /** The call of this step was refused. */
  | { type: 'refused'; fault: PayFault; fields?: readonly CardField[] }
  | { type: 'typed'; text: string }
  | { type: 'find' }
  | { type: 'found'; plate: string; stays: readonly PayStay[] }
  | { type: 'pick'; stay: PayStay }
  | { type: 'not-mine' }
  | { type: 'exit-opens' }
  | { type: 'due'; due: PayDue }
  | { type: 'prove'; day: string }
  | { type: 'entry-time'; day: string; time: string }
  | { type: 'send' }
  | { type: 'proved'; stay: PayStay }
  | { type: 'buy-days' }
  | { type: 'quantity'; quantity: number }
  | { type: 'card' }
  | { type: 'pay'; key: string; store?: CardStorage | null }
  | { type: 'payment'; payment: PayPayment }
  /** No order with the payment's key has arrived, and none will be accepted. */
  | { type: 'never-ordered' }
  | { type: 'cancel' }
  | { type: 'mail' }
  | { type: 'mail-again' }
  | { type: 'mailed' };
