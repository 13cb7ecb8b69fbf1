import { type Money as Amount, formatMoney } from '@hlid/protocol/base/money';
import { LANGUAGE } from '../words/words.ts';

export function moneyText(money: Amount): string {
  return formatMoney(money, LANGUAGE);
}

/** An amount, with figures of one width. */
export function Money({ amountMinor, currency }: Amount) {
  return <span className="money">{moneyText({ amountMinor, currency })}</span>;
}
