import { minorUnitDigits } from '@hlid/protocol/base/money';
import type { DriverCaps } from '@hlid/protocol/pages/driver-api';
import { usePage } from '../pay-context.ts';
import { TextField } from './text-field.tsx';

/** Caps as they are typed, in the currency's major unit. */
export interface TypedCaps {
  stay: string;
  day: string;
}

/** Enough for most stays. */
const DEFAULTS = { stayMinor: 5000, dayMinor: 10_000 };
const MAX_MINOR = 1_000_000_000;

/** Proposed to a driver. @param paidMinor what one stay cost; another one may cost twice as much */
export function defaultCaps(currency: string, paidMinor: number): DriverCaps {
  const stayMinor = Math.max(DEFAULTS.stayMinor, Math.ceil((2 * paidMinor) / 1000) * 1000);
  return { currency, stayMinor, dayMinor: Math.max(DEFAULTS.dayMinor, 2 * stayMinor) };
}

export function typeCaps({ currency, stayMinor, dayMinor }: DriverCaps): TypedCaps {
  const digits = minorUnitDigits(currency);
  const text = (minor: number) => (minor / 10 ** digits).toFixed(digits);
  return { stay: text(stayMinor), day: text(dayMinor) };
}

/** Null: something typed is not an amount. */
export function readCaps({ stay, day }: TypedCaps, currency: string): DriverCaps | null {
  const [stayMinor, dayMinor] = [readAmount(stay, currency), readAmount(day, currency)];
  return stayMinor === null || dayMinor === null ? null : { currency, stayMinor, dayMinor };
}

/**
 * Reads an amount with point or comma, for thousands or decimals: drivers of seven languages have either. Thousands are
 * marked in groups of three: “11,5” is no amount in a currency without decimals. Null: it is not an amount.
 */
export function readAmount(typed: string, currency: string): number | null {
  const digits = minorUnitDigits(currency);
  const decimals = digits === 0 ? '' : `(?:[.,](\\d{0,${Math.min(digits, 2)}}))?`;
  const pattern = new RegExp(`^(\\d+|\\d{1,3}(?:([\\s.,])\\d{3})(?:\\2\\d{3})*)${decimals}$`);
  const [, whole, , rest = ''] = pattern.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const minor = Number(whole.replace(/\D/g, '') + rest.padEnd(digits, '0'));
  return minor > 0 && minor <= MAX_MINOR ? minor : null;
}

/** The limits of charges, per stay and per day. */
export function CapsFields({
  caps,
  currency,
  showMistakes,
  onCaps,
}: {
  caps: TypedCaps;
  currency: string;
  showMistakes: boolean;
  onCaps: (caps: TypedCaps) => void;
}) {
  const { driver } = usePage().words;
  const inputMode = minorUnitDigits(currency) === 0 ? 'numeric' : 'decimal';
  const field = (name: keyof TypedCaps, label: string) => (
    <TextField
      label={label}
      name={name}
      value={caps[name]}
      inputMode={inputMode}
      autoComplete="off"
      maxLength={14}
      mistake={showMistakes && readAmount(caps[name], currency) === null ? driver.amount : undefined}
      onText={(text) => onCaps({ ...caps, [name]: text })}
    />
  );
  return (
    <>
      {field('stay', driver.perStay({ currency }))}
      {field('day', driver.perDay({ currency }))}
    </>
  );
}
