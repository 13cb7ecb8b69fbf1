/** One field that a change touched, in words; empty: it was not there. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** How people call what stands in lines: fields, codes, amounts, moments, sites and lanes. */
export interface FieldWords {
  /** Undefined: people have no name for it. */
  fieldName: (field: string) => string | undefined;
  codeText: (code: string, field: string) => string;
  moneyText: (amountMinor: number, currency: string) => string;
  numberText: (value: number) => string;
  momentText: (at: string) => string;
  siteName: (id: string) => string;
  laneName: (id: string) => string;
  yes: string;
  no: string;
  changed: string;
}

/**
 * The changed fields of a record, by the names that people have for them; `hidden`: the number of those
 * without a name.
 */
export function fieldChanges(
  before: unknown,
  after: unknown,
  words: FieldWords,
): { changes: FieldChange[]; hidden: number } {
  const old = flatOf(before, currencyIn(before) ?? currencyIn(after));
  const now = flatOf(after, currencyIn(after) ?? currencyIn(before));
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => JSON.stringify(old.get(path)?.value) !== JSON.stringify(now.get(path)?.value),
  );
  const changes = new Map<string, FieldChange>();
  let hidden = 0;
  for (const path of paths) {
    const name = nameOf(path, words);
    if (name === null) hidden += 1;
    else if (name.isWhole) changes.set(name.text, { field: name.text, before: '', after: words.changed });
    else {
      const [was, is] = [textOf(path, old.get(path), words), textOf(path, now.get(path), words)];
      if (was === null || is === null) hidden += 1;
      else if (was !== is) changes.set(path, { field: name.text, before: was, after: is });
    }
  }
  return { changes: [...changes.values()], hidden };
}

/** Parts with a separate form, which are not shown field by field. */
const WHOLE: readonly string[] = ['tariff', 'rules', 'filters', 'options', 'types'];
/** Fields without meaning for people: what a line is about stands beside it. */
const HIDDEN_FIELDS: readonly string[] = [
  'createdOn',
  'modifiedOn',
  'createdAt',
  'modifiedAt',
  'id',
  'currency',
];

function nameOf(path: string, words: FieldWords): { text: string; isWhole: boolean } | null {
  const parts = path.split('.').filter((part) => !/^\d+$/.test(part));
  const whole = parts.find((part) => WHOLE.includes(part));
  const field = whole ?? parts.at(-1) ?? '';
  const text = HIDDEN_FIELDS.includes(field) ? undefined : words.fieldName(field);
  return text === undefined ? null : { text, isWhole: whole !== undefined && parts.at(-1) !== whole };
}

interface Leaf {
  value: boolean | number | string | readonly unknown[];
  currency: string | null;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const AMOUNTS: readonly string[] = ['amount', 'due', 'price', 'stayPrice'];

/** Null: it is nothing that people read, such as an id. */
function textOf(path: string, leaf: Leaf | undefined, words: FieldWords): string | null {
  if (leaf === undefined) return '';
  const { value, currency } = leaf;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  const field = path.split('.').at(-1) ?? '';
  if (typeof value === 'number') {
    const isMoney = field.endsWith('Minor') || AMOUNTS.includes(field);
    if (isMoney && currency !== null) return words.moneyText(value, currency);
    return words.numberText(value);
  }
  if (typeof value !== 'string') {
    const texts = value.map((one) => textOf(path, { value: String(one), currency }, words));
    return texts.some((text) => text === null) ? null : texts.join(', ');
  }
  if (field === 'siteId') return words.siteName(value);
  if (field === 'laneId' || field === 'lane' || field === 'lanes') return words.laneName(value);
  if (UUID.test(value)) return null;
  if (MOMENT.test(value)) return words.momentText(value);
  return words.codeText(value, field);
}

function currencyIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('currency' in value)) return null;
  return typeof value.currency === 'string' ? value.currency : null;
}

function flatOf(value: unknown, currency: string | null, path = ''): Map<string, Leaf> {
  if (value === null || value === undefined) return new Map();
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') {
    return new Map([[path, { value, currency }]]);
  }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return new Map(value.length === 0 ? [] : [[path, { value, currency }]]);
  }
  const own = currencyIn(value) ?? currency;
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [
      ...flatOf(one, own, path === '' ? name : `${path}.${name}`),
    ]),
  );
}
