import { isMailAddress } from '@hlid/protocol/mail-address';
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
import {
  CapsFields,
  defaultCaps,
  readAmount,
  readCaps,
  type TypedCaps,
  typeCaps,
} from '../ui/caps-fields.tsx';
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
  const { words, language, site, holder, dispatch } = usePay();
  const { currency } = step.due;
  const storesCards = site?.gateway?.storesCards === true;
  const [card, setCard] = useState(EMPTY);
  const [mistakes, setMistakes] = useState(() => cloudMistakes(step.fields));
  const [store, setStore] = useState<TypedStore>(() => ({
    isWanted: step.store !== null,
    caps: typeCaps(step.store?.caps ?? defaultCaps(currency, step.due.amountMinor)),
    email: step.store?.email ?? '',
    isSent: false,
  }));
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
    const caps = readCaps(store.caps, currency);
    const email = store.email.trim();
    const wanted = store.isWanted && caps !== null && isMailAddress(email) ? { caps, email } : null;
    if (store.isWanted && wanted === null) {
      setStore({ ...store, isSent: true });
      const wrong = (['stay', 'day'] as const).find(
        (name) => readAmount(store.caps[name], currency) === null,
      );
      form.current?.querySelector<HTMLInputElement>(`[name=${wrong ?? 'email'}]`)?.focus();
      return;
    }
    holder.hold(card);
    dispatch({ type: 'pay', key: newPaymentKey(), store: wanted });
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
          <p className="privacy">{store.isWanted ? words.driver.provider : words.card.privacy}</p>
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
        {storesCards && <StoreFields store={store} currency={currency} onStore={setStore} />}
      </div>
    </Frame>
  );
}

interface TypedStore {
  isWanted: boolean;
  caps: TypedCaps;
  email: string;
  /** Mistakes are shown from then on. */
  isSent: boolean;
}

/** Whether the card is stored, for payments up to how much, and for whom. */
function StoreFields({
  store,
  currency,
  onStore,
}: {
  store: TypedStore;
  currency: string;
  onStore: (store: TypedStore) => void;
}) {
  const { words } = usePay();
  const { isWanted, caps, email, isSent } = store;
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={isWanted}
          onChange={({ target }) => onStore({ ...store, isWanted: target.checked })}
        />
        <span>{words.driver.store}</span>
      </label>
      {isWanted && (
        <>
          <p className="hint">{words.driver.storeLead}</p>
          <CapsFields
            caps={caps}
            currency={currency}
            showMistakes={isSent}
            onCaps={(typed) => onStore({ ...store, caps: typed })}
          />
          <TextField
            label={words.paid.email}
            type="email"
            name="email"
            value={email}
            autoComplete="email"
            inputMode="email"
            hint={words.driver.mailHint}
            mistake={isSent && !isMailAddress(email) ? words.paid.wrong : undefined}
            onText={(text) => onStore({ ...store, email: text })}
          />
        </>
      )}
    </>
  );
}
