import { formatMoney } from '@hlid/protocol/money';
import type { CardField } from '@hlid/protocol/pay-api';
import { useRef, useState } from 'react';
import {
  brandOf,
  type CardMistake,
  cardMistakes,
  digitsOf,
  groupExpiry,
  groupNumber,
  type TypedCard,
} from '../card/card-rules.ts';
import { usePay } from '../pay-context.ts';
import { newPaymentKey } from '../payment-key.ts';
import type { CardStep } from '../state/pay-state.ts';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlateSign } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';

const EMPTY: TypedCard = { number: '', expire: '', ccv: '' };

/** What the cloud found wrong, by the field that shows it. */
function cloudMistakes(fields: readonly CardField[]): Partial<Record<keyof TypedCard, CardMistake>> {
  return Object.fromEntries(fields.map((field) => [field === 'brand' ? 'number' : field, field]));
}

/** The card, which stays in this form and in memory until the payment is over. */
export function CardScreen({ step }: { step: CardStep }) {
  const { words, language, holder, dispatch } = usePay();
  const [card, setCard] = useState(EMPTY);
  const [mistakes, setMistakes] = useState(() => cloudMistakes(step.fields));
  const form = useRef<HTMLDivElement>(null);
  const amount = formatMoney({ amountMinor: step.amountMinor, currency: step.due.currency }, language);
  const brand = brandOf(card.number);

  const type = (field: keyof TypedCard, text: string) => {
    setCard({ ...card, [field]: text });
    const { [field]: _mended, ...others } = mistakes;
    setMistakes(others);
  };
  const pay = () => {
    const found = cardMistakes(card, new Date());
    setMistakes(found);
    const [first] = (['number', 'expire', 'ccv'] as const).filter((field) => found[field]);
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
      return;
    }
    holder.hold(card);
    dispatch({ type: 'pay', key: newPaymentKey() });
  };
  const mistake = (field: keyof TypedCard) => {
    const found = mistakes[field];
    return found && words.card.mistakes[found];
  };
  return (
    <Frame
      title={words.card.title}
      notice={step.notice}
      className="card-form"
      onSubmit={pay}
      actions={
        <>
          <button type="submit" className="button primary">
            <Icon name="lock" />
            {words.due.pay(amount)}
          </button>
          <p className="privacy">{words.card.privacy}</p>
        </>
      }
    >
      <p className="pay-for">
        <PlateSign plate={step.due.stay.plate} />
        <span>
          <span className="unseen">{words.card.amount}: </span>
          <strong>{amount}</strong>
          {step.quantity !== null && ` · ${step.quantity} ${words.days.count(step.quantity)}`}
        </span>
      </p>
      <div ref={form} className="fields">
        <TextField
          label={words.card.number}
          name="number"
          value={card.number}
          inputMode="numeric"
          autoComplete="cc-number"
          maxLength={23}
          mark={brand?.name}
          mistake={mistake('number')}
          onText={(text) => type('number', groupNumber(text))}
        />
        <div className="beside">
          <TextField
            label={words.card.expire}
            name="expire"
            value={card.expire}
            placeholder={words.card.expireForm}
            inputMode="numeric"
            autoComplete="cc-exp"
            maxLength={9}
            mistake={mistake('expire')}
            onText={(text) => type('expire', text.length < card.expire.length ? text : groupExpiry(text))}
          />
          <TextField
            label={words.card.code}
            name="ccv"
            value={card.ccv}
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={4}
            hint={words.card.codeWhere(brand?.codeLength ?? 3)}
            mistake={mistake('ccv')}
            onText={(text) => type('ccv', digitsOf(text))}
          />
        </div>
      </div>
    </Frame>
  );
}
