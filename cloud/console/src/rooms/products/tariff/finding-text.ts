import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { weekdayName } from '@hlid/protocol/base/weekdays/weekday-name';
import { sentencesOf } from '../../../calls/refusal-words.ts';
import { moneyText } from '../../../ui/money.tsx';
import { WEEKDAYS } from '../../../words/codes.ts';
import { EDITOR, FINDINGS, PLACES } from './tariff-words.ts';

type Path = AnyMistake['path'];

/** The finding in the words of the editor's fields. Those of the cloud name the keys of a file. */
export function findingText(finding: AnyMistake, currency: string): string {
  const { code, params } = finding;
  if (!isFinding(code)) return sentencesOf({ codes: [finding], messages: [] })[0] ?? code;
  const text = FINDINGS[code];
  if (typeof text === 'string') return text;
  const number = (name: string) => Number(params[name] ?? 0);
  const money = (name: string) => moneyText({ amountMinor: number(name), currency });
  const day = (name: string) => weekdayName(WEEKDAYS.long, number(name));
  return text({
    minutes: number('minutes'),
    divisor: number('divisor'),
    first: number('first'),
    more: number('more'),
    dayMinor: money('dayMinor'),
    weekMinor: money('weekMinor'),
    stepMinor: money('stepMinor'),
    weekday: day('weekday'),
    before: day('before'),
    from: String(params['from'] ?? ''),
    to: String(params['to'] ?? ''),
  });
}

function isFinding(code: string): code is keyof typeof FINDINGS {
  return Object.hasOwn(FINDINGS, code);
}

/** The place in a tariff by the headings of the editor, such as “Class 1, band 2, price 3”. */
export function placeText(path: Path): string {
  const [key, at, ...rest] = path;
  const n = Number(at) + 1;
  switch (key) {
    case 'classes':
      return within(EDITOR.class({ n }), rest);
    case 'bands':
      return at === undefined ? EDITOR.bands : within(EDITOR.band({ n }), rest);
    case 'steps':
      return at === undefined ? '' : EDITOR.step({ n });
    case 'flatRates':
      return EDITOR.flatRate({ n });
    case 'day':
      return EDITOR.day;
    case 'caps':
      return EDITOR.caps;
    case 'free':
      return EDITOR.free;
    case 'holidays':
      return EDITOR.holidays;
    case 'window':
    case 'capMinor':
    case 'label':
    case undefined:
      return '';
    default:
      return EDITOR.rules;
  }
}

function within(outer: string, rest: Path): string {
  const inner = placeText(rest);
  return inner === '' ? outer : PLACES.within({ outer, inner });
}
