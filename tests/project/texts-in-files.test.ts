import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '@hlid/protocol/base/language';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  'protocol/src',
  'protocol/node/src',
  'edge/src',
  'edge/page/src',
  'cloud/src',
  'cloud/console/src',
  'cloud/pay-page/src',
  'kiosk/src',
  'kiosk/ui/src',
];
/** The module that defines the languages has their names and locales. */
const DEFINES_LANGUAGES = 'protocol/src/base/language.ts';
/** `words/en.ts`, `words/is/money.ts`, `refusals/money-is.ts` */
const FILE_OF_LANGUAGE = new RegExp(`(?:^|[/-])(?:${LANGUAGES.join('|')})(?:\\.ts$|/)`);

interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* nodesIn(value: unknown, closed: readonly string[] = []): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one, closed);
  if (!isNode(value) || closed.includes(value.type)) return;
  // An example in the API's documentation is data.
  if (nameOf(value['key']) === 'example' || nameOf(value['id']) === 'example') return;
  yield value;
  for (const part of Object.values(value)) if (typeof part === 'object') yield* nodesIn(part, closed);
}

function nameOf(key: unknown): string | null {
  if (!isNode(key)) return null;
  const { name, value } = key;
  return typeof name === 'string' ? name : typeof value === 'string' ? value : null;
}

/** Whether something is written out there that people read. What a call makes is not written there. */
function hasText(value: unknown): boolean {
  for (const { type, value: literal } of nodesIn(value, ['CallExpression', 'ImportExpression'])) {
    if (type === 'TemplateLiteral') return true;
    if (type === 'Literal' && typeof literal === 'string' && literal !== '') return true;
  }
  return false;
}

/** `{ is: 'Já', en: 'Yes' }` */
function isDictionary({ type, properties }: Node): boolean {
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return false;
  const texts = properties
    .filter((one: Node) => hasText(one['value']))
    .map((one: Node) => nameOf(one['key']));
  return texts.includes('is') && texts.includes('en');
}

const SENTENCE = /^\p{Lu}\p{L}+|\s\p{L}/u;

/** `language === 'is' ? 'Já' : 'Yes'` */
function isChoice({ type, test, consequent, alternate }: Node): boolean {
  if (type !== 'ConditionalExpression' || !isNode(test) || test.type !== 'BinaryExpression') return false;
  const isOfLanguage = [test['left'], test['right']].some(
    (side) => isNode(side) && LANGUAGES.some((language) => side['value'] === language),
  );
  return (
    isOfLanguage && [consequent, alternate].some((one) => isNode(one) && SENTENCE.test(`${one['value']}`))
  );
}

/** The lines on which texts stand beside their translations. */
function textsIn(code: string, file: string): string[] {
  const tree: unknown = parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  return [...nodesIn(tree)]
    .filter((node) => isDictionary(node) || isChoice(node))
    .map(({ start }) => `${file}:${code.slice(0, start).split('\n').length}`);
}

it('texts stand in a file for each language, and nowhere beside their translations', () => {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && !FILE_OF_LANGUAGE.test(file) && file !== DEFINES_LANGUAGES,
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => textsIn(readFileSync(`${ROOT}${file}`, 'utf8'), file))).toEqual([]);
});

it.each<[code: string, found: boolean]>([
  [`const WORDS = { is: 'Já', en: 'Yes' };`, true],
  [`const WORDS: Record<Language, Words> = { is: { yes: 'Já' }, en: { yes: 'Yes' } };`, true],
  ['const WORDS = { is: (n: number) => `Nr. \u0024{n}`, en: (n: number) => `No. \u0024{n}` };', true],
  [`const yes = language === 'is' ? 'Já' : 'Yes';`, true],
  [`const WORDS = textsByLanguage({ is: IS, en: EN });`, false],
  [
    `const WORDS = new Dictionary({ is: () => import('./is.ts'), en: async () => (await import('./en.ts')).EN });`,
    false,
  ],
  [`const advice = { is: adviceOf('silent', 'is'), en: adviceOf('silent', 'en') };`, false],
  [`const locale = language === 'is' ? 'is-IS' : 'en-GB';`, false],
])('the rule reads %s', (code, found) => {
  expect(textsIn(code, 'code.ts').length > 0).toBe(found);
});
