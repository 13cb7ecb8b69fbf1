import { expect, it } from 'vitest';
import { mistake } from '../mistake.ts';
import { translateRefusals } from '../refusal-file.ts';
import { localMoments, refusalLine, sayRefusal } from '../say-refusal.ts';
import { REFUSAL_FILE_EN } from './refusal-file-en.ts';
import { REFUSALS_EN } from './refusals-en.ts';
import { REFUSALS_IS } from './refusals-is.ts';

const MOMENT = '2026-11-21T12:00:00.000Z';
const BY_NAME: Record<string, unknown> = {
  state: 'settled',
  status: 'paid',
  paymentStatus: 'void',
  action: 'closing',
  until: MOMENT,
  endedAt: MOMENT,
  latest: MOMENT,
  detail: 'x',
  text: 'x',
};
/** Any other parameter: a list of one where the words are computed, else a text. */
const paramsOf = (words: unknown) =>
  new Proxy(
    {},
    { get: (_target, name) => BY_NAME[String(name)] ?? (typeof words === 'string' ? 'x' : ['x']) },
  );
const PARAMS: Record<string, Record<string, unknown>> = {
  'none-of': { forms: [mistake('required'), mistake('empty')] },
  'account-missing': { role: 'bank', detail: null, site: null, link: '/console/money' },
  'body-too-full': { of: 'levels', max: 32 },
  'not-found': { what: 'site' },
  'settled-cannot-become': { to: 'new' },
  'settled-all-the-same': { settled: 'void' },
  'visit-cannot-become': { from: 'new', to: 'completed' },
  'invoice-cannot-become': { from: 'draft', to: 'paid' },
  'mark-cannot-become': { from: 'draft', to: 'completed' },
};
const FILE: Record<string, unknown> = REFUSAL_FILE_EN;
const said = (code: string, words: typeof REFUSALS_IS) =>
  sayRefusal({ code, path: [], params: PARAMS[code] ?? paramsOf(FILE[code]) }, words);

it.each(Object.keys(REFUSALS_EN))('%s has a sentence of its own in both languages', (code) => {
  expect(said(code, REFUSALS_EN)).toMatch(/^.+[.!?…]$/s);
  const icelandic = said(code, REFUSALS_IS);
  expect(icelandic).toMatch(/^.+[.!?…]$/s);
  expect(icelandic).not.toMatch(/undefined|[{}]/);
  // The words of others stay unchanged.
  if (code !== 'in-words') expect(icelandic).not.toBe(said(code, REFUSALS_EN));
});

it('has no words for a code of a newer cloud', () => {
  expect(sayRefusal({ code: 'no-such-code', path: [], params: {} }, REFUSALS_EN)).toBeNull();
  expect(sayRefusal({ code: 'toString', path: [], params: {} }, REFUSALS_EN)).toBeNull();
});

it('says it as a sentence beside a field, and behind its place in a list', () => {
  const found = mistake('too-long', 'account.name', { maximum: 40 });
  expect(found).toEqual({ code: 'too-long', path: ['account', 'name'], params: { maximum: 40 } });
  expect(sayRefusal(found, REFUSALS_IS)).toBe('Hámark 40 stafir.');
  expect(sayRefusal(found, REFUSALS_EN)).toBe('Must have at most 40 characters.');
  expect(refusalLine(found, REFUSALS_EN)).toBe('account.name: must have at most 40 characters');
  expect(refusalLine(mistake('no-customer'), REFUSALS_EN)).toBe('Your account belongs to no customer.');
});

it('does not compile without a parameter or a place', () => {
  // @ts-expect-error: `plate` is missing.
  expect(sayRefusal(mistake('inside-already', [], {}), REFUSALS_EN)).toBe(' is inside already.');
  // @ts-expect-error: `maximum` is a number.
  mistake('too-long', [], { maximum: '40' });
  const english = { 'inside-already': '{plate} is inside already.', required: 'is required' } as const;
  translateRefusals<typeof english>()({ 'inside-already': '{plate} er inni.', required: 'Þetta vantar.' });
  // @ts-expect-error: `{plate}` is missing.
  translateRefusals<typeof english>()({ 'inside-already': 'Það er inni.', required: 'Þetta vantar.' });
  // @ts-expect-error: `required` is missing.
  translateRefusals<typeof english>()({ 'inside-already': '{plate} er inni.' });
});

it('moments of a sentence are on the clock of the page, in every language', () => {
  const until = '2026-11-21T23:30:00.000Z';
  const mistake = { code: 'not-within-visit', path: ['at'], params: { until, plate: 'ABX12' } };
  for (const words of [REFUSALS_EN, REFUSALS_IS]) {
    const said = localMoments(sayRefusal(mistake, words) ?? '', mistake, () => 'HERE');
    expect(said).toContain('HERE');
    expect(said).not.toContain('2026');
  }
});
