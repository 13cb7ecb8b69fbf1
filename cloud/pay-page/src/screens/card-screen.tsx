import { isMailAddress } from '@hlid/protocol/base/mail-address';
import { formatMoney } from '@hlid/protocol/base/money';
import type { CardField } from '@hlid/protocol/pages/pay-api';
import { KeptIn } from '@hlid/ui/kept';
import { PlateSign } from '@hlid/ui/plate-sign';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useEffect, useRef, useState } from 'react';
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
import type { CardField as ProviderCardField } from '../providers/card-provider.ts';
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
import { TextField } from '../ui/text-field.tsx';
import { invoiceTitle } from '../words/words.ts';

/** The mistakes that the cloud found, by the field that shows them. */
function cloudMistakes(fields: readonly CardField[]): Partial<Record<keyof TypedCard, CardMistake>> {
  return Object.fromEntries(fields.map((field) => [field === 'brand' ? 'number' : field, field]));
}

/** The card, which stays in this form and in memory until the payment is over. */
export function CardScreen({ step }: { step: CardStep }) {
  const { words, language, site, holder, dispatch } = usePay();
  const { currency } = step.due;
  const { invoice } = step.due;
  // A card is stored for a car.
  const storesCards = site?.gateway?.storesCards === true && invoice === undefined;
  const [card, setCard] = useState<TypedCard>(() => ({
    number: groupNumber(holder.kept?.number ?? ''),
    expire: holder.kept?.expire ?? '',
    ccv: '',
  }));
  const [mistakes, setMistakes] = useState(() => cloudMistakes(step.fields));
  const [store, setStore] = useState<TypedStore>(() => ({
    isWanted: step.store !== null,
    caps: typeCaps(step.store?.caps ?? defaultCaps(currency, step.due.amountMinor)),
    email: step.store?.email ?? '',
    isSent: false,
  }));
  const form = useRef<HTMLDivElement>(null);
  const [field, setField] = useState<ProviderCardField | null>(null);
  const [notice, setNotice] = useState(step.notice);
  const [isEncrypting, setEncrypting] = useState(false);
  const hasField = site?.gateway != null && site.gateway.cardField !== null;
  const amount = formatMoney({ amountMinor: step.amountMinor, currency: step.due.currency }, language);
  const type = (name: keyof TypedCard, text: string) => {
    setCard({ ...card, [name]: text });
    const { [name]: _mended, ...others } = mistakes;
    setMistakes(others);
  };
  /** The first wrong field is shown. */
  const isCardTyped = () => {
    const found = cardMistakes(card, new Date());
    setMistakes(found);
    const [first] = (['number', 'expire', 'ccv'] as const).filter((name) => found[name]);
    focusOn(first);
    return first === undefined;
  };
  const focusOn = (name: string | undefined) => {
    if (name !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
  };
  const pay = () => {
    if (!hasField && !isCardTyped()) return;
    const caps = readCaps(store.caps, currency);
    const email = store.email.trim();
    const wanted = store.isWanted && caps !== null && isMailAddress(email) ? { caps, email } : null;
    if (store.isWanted && wanted === null) {
      setStore({ ...store, isSent: true });
      const wrong = (['stay', 'day'] as const).find(
        (name) => readAmount(store.caps[name], currency) === null,
      );
      focusOn(wrong ?? 'email');
      return;
    }
    if (!hasField) holder.hold({ ...card, number: digitsOf(card.number), ccv: digitsOf(card.ccv) });
    else if (field !== null) return void payByField(field, wanted);
    dispatch({ type: 'pay', key: randomUuid(), store: wanted });
  };
  const payByField = async (own: ProviderCardField, wanted: CardStep['store']) => {
    setEncrypting(true);
    try {
      const encrypted = await own.encrypt({ storeCard: wanted !== null });
      if (encrypted === null) return;
      holder.holdEncrypted(encrypted);
      dispatch({ type: 'pay', key: randomUuid(), store: wanted });
    } catch {
      setNotice('unavailable');
    } finally {
      setEncrypting(false);
    }
  };
  return (
    <Frame
      title={words.card.title}
      notice={notice}
      className="card-form"
      onSubmit={pay}
      actions={
        <>
          <button
            type="submit"
            className="button primary"
            disabled={hasField && (field === null || isEncrypting)}
          >
            <Icon name="lock" />
            <KeptIn text={words.due.pay({ amount })} part={amount} />
          </button>
          <p className="privacy">{store.isWanted ? words.driver.provider : words.card.privacy}</p>
        </>
      }
    >
      <p className="pay-for">
        {invoice === undefined ? (
          <PlateSign plate={step.due.stay.plate} />
        ) : (
          <span>{invoiceTitle(invoice.number, words)}</span>
        )}
        <span>
          <span className="unseen">{words.card.amount}: </span>
          <strong translate="no">{amount}</strong>
          {step.quantity !== null && ` · ${step.quantity} ${words.days.count({ n: step.quantity })}`}
        </span>
      </p>
      <div ref={form} className="fields">
        {hasField ? (
          <ProviderField step={step} onField={setField} onFailed={() => setNotice('unavailable')} />
        ) : (
          <TypedFields card={card} mistakes={mistakes} onType={type} />
        )}
        {storesCards && <StoreFields store={store} currency={currency} onStore={setStore} />}
      </div>
    </Frame>
  );
}

/** The page's own fields. */
function TypedFields({
  card,
  mistakes,
  onType,
}: {
  card: TypedCard;
  mistakes: Partial<Record<keyof TypedCard, CardMistake>>;
  onType: (name: keyof TypedCard, text: string) => void;
}) {
  const { words } = usePay();
  const brand = brandOf(card.number);
  const mistake = (name: keyof TypedCard) => {
    const found = mistakes[name];
    return found && words.card.mistakes[found];
  };
  return (
    <>
      <TextField
        label={words.card.number}
        name="number"
        value={card.number}
        inputMode="numeric"
        autoComplete="cc-number"
        maxLength={23}
        mark={brand?.niceType}
        mistake={mistake('number')}
        onText={(text) => onType('number', groupNumber(text))}
      />
      <div className="beside">
        <TextField
          label={words.card.expire}
          name="expire"
          value={card.expire}
          placeholder={words.card.expireForm}
          inputMode="numeric"
          autoComplete="cc-exp"
          maxLength={12}
          mistake={mistake('expire')}
          onText={(text) => onType('expire', card.expire.startsWith(text) ? text : groupExpiry(text))}
        />
        <TextField
          label={words.card.code}
          name="ccv"
          value={card.ccv}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          hint={brand?.code.size === 4 ? words.card.codeFront : words.card.codeBack}
          mistake={mistake('ccv')}
          onText={(text) => onType('ccv', digitsOf(text))}
        />
      </div>
    </>
  );
}

/** The provider's own field: a frame of the provider's, which the page cannot read. */
function ProviderField({
  step,
  onField,
  onFailed,
}: {
  step: CardStep;
  onField: (field: ProviderCardField | null) => void;
  onFailed: () => void;
}) {
  const { providers, site, language } = usePay();
  const place = useRef<HTMLDivElement>(null);
  const { amountMinor } = step;
  const { currency } = step.due;
  const { kind = '', cardField: tokens = null } = site?.gateway ?? {};

  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen that is drawn again keeps what was typed.
  useEffect(() => {
    if (tokens === null || place.current === null) return;
    const own = document.createElement('div');
    place.current.append(own);
    let opened: ProviderCardField | null = null;
    let isOver = false;
    const open = async () => {
      const provider = await providers.get(kind);
      opened = (await provider.openField?.({ place: own, tokens, amountMinor, currency, language })) ?? null;
      if (isOver) opened?.close();
      else onField(opened);
    };
    open().catch(() => isOver || onFailed());
    return () => {
      isOver = true;
      opened?.close();
      own.remove();
      onField(null);
    };
  }, [providers, kind, amountMinor, currency, language]);

  return <div ref={place} className="provider-field" />;
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
