import { type ReactNode, useRef } from 'react';
import { parseAmount } from '../../ui/amount.ts';
import { Button } from '../../ui/button.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { isVatAnswered, needsPrice, type ProductForm, readTariff } from './product-form.ts';
import { PRODUCT } from './product-words.ts';
import { elementAt, moveTo } from './tariff/findings-list.tsx';
import { draftOf } from './tariff/tariff-draft.ts';
import { useTariffCheck } from './tariff/use-tariff-check.ts';

const NO_TARIFF = {};

/**
 * The button that saves, at the lower edge of the window wherever the form is scrolled to, with how the draft is: saved or
 * not, what is wrong, and the way to the first of it.
 */
export function SaveBar({
  form,
  isDirty,
  isReady,
  isBusy,
  label,
  children,
}: {
  form: ProductForm;
  isDirty: boolean;
  isReady: boolean;
  isBusy: boolean;
  label: string;
  /** The effects of the save. */
  children?: ReactNode;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const { places, wrong, missing } = useFaults(form);
  const states = [
    isDirty ? PRODUCT.bar.unsaved : PRODUCT.bar.saved,
    ...(wrong > 0 ? [PRODUCT.bar.mistakes({ n: wrong })] : []),
    ...(missing > 0 ? [PRODUCT.bar.missing({ n: missing })] : []),
  ];
  return (
    <div ref={bar} className="save-bar">
      {children}
      <div className="row-acts">
        <Button type="submit" look="primary" isDisabled={!isReady} isPending={isBusy}>
          {label}
        </Button>
        <span role="status">{states.join(' · ')}</span>
        {wrong + missing > 0 && (
          <Button
            look="quiet"
            onPress={() => moveTo(firstFault(bar.current?.closest('form') ?? null, places))}
          >
            {PRODUCT.bar.first}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The mistakes that keep a product from being saved: in its own fields, and in those of its tariff. */
function useFaults(form: ProductForm): { places: readonly string[]; wrong: number; missing: number } {
  const read = readTariff(form.tariff);
  const draft = read.ok && read.tariff !== null ? draftOf(read.tariff) : null;
  const { mistakes, emptyFields } = useTariffCheck(draft ?? NO_TARIFF, 'config.tariff', form.currency);
  const hasPrice = form.price.trim() !== '';
  const isNoPrice = hasPrice && parseAmount(form.price, form.currency, LANGUAGE) === null;
  const ownMissing = [
    form.productCode.trim() === '',
    !hasPrice && needsPrice(form),
    !isVatAnswered(form),
  ].filter(Boolean).length;
  const ofTariff = draft === null ? [] : mistakes;
  return {
    places: ofTariff.map(({ place }) => place),
    wrong: ofTariff.length + (read.ok ? 0 : 1) + (isNoPrice ? 1 : 0),
    missing: ownMissing + (draft === null ? 0 : emptyFields),
  };
}

/** The first field of a form, from the top, that is wrong or empty. */
function firstFault(form: HTMLFormElement | null, places: readonly string[]): Element | null {
  if (form === null) return null;
  // The list of VAT begins with no answer.
  const empty = [
    ...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
      'input:is([required], [aria-required=true]), select[name=vatCategory]',
    ),
  ];
  const found = [
    ...empty.filter(({ value }) => value === ''),
    ...form.querySelectorAll('[aria-invalid=true]'),
    ...places.flatMap((place) => elementAt(place) ?? []),
  ];
  return found.reduce<Element | null>(
    (first, one) => (first === null || isBefore(one, first) ? one : first),
    null,
  );
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
