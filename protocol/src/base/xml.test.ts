import { expect, it } from 'vitest';
import { parseXml } from './xml.ts';

const BOUNDS = { maxCharacters: 4_000_000, maxElements: 3, maxDepth: 2 };

function read(text: string, namespaces?: Record<string, string>) {
  return parseXml(text, BOUNDS, namespaces);
}

it('builds a tree with trimmed texts', () => {
  expect(read('<a> a<b>b\n</b><![CDATA[c]]> </a>')).toMatchObject({
    ok: true,
    root: { name: 'a', text: 'ac', children: [{ name: 'b', text: 'b', children: [] }] },
  });
});

it('resolves prefixes, declared or not', () => {
  const text = '<a:x xmlns:a="urn:a" xmlns="urn:b" a:one="1" two="&lt;2&gt;"><y/></a:x>';
  expect(read(text)).toMatchObject({
    root: {
      name: 'x',
      namespace: 'urn:a',
      attributes: { one: '1', two: '<2>' },
      children: [{ namespace: 'urn:b' }],
    },
  });
  expect(read('<tt:x><vendor:y/><z/></tt:x>', { tt: 'urn:tt' })).toMatchObject({
    root: { namespace: 'urn:tt', children: [{ namespace: 'urn:undeclared:vendor' }, { namespace: '' }] },
  });
});

it.each([
  ['more elements than it may have', '<a><b/><b/><b/></a>', 'more than 3 elements'],
  ['elements nested deeper than they may be', '<a><b><c/></b></a>', 'nested deeper than 2'],
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'a document type is not accepted'],
  ['more characters than it may have', ' '.repeat(4_000_001), 'too long'],
  ['too many blanks', `<a>${' '.repeat(300_000)}x</a>`, 'too many blanks'],
  ['too many entities', `<a>${'&amp;'.repeat(50_000)}</a>`, 'too many attributes or entities'],
  ['nothing', '', 'document must contain a root element'],
  ['half of it', '<a><b>', 'unclosed tag: b'],
])('refuses a document with %s', (_, text, reason) => {
  expect(read(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

it('accepts bare ampersands, and what devices leave around a document', () => {
  expect(read('\r\n<?xml version="1.0"?><a>In & Out &amp; Back</a>\r\n\0 \0')).toMatchObject({
    root: { text: 'In & Out & Back' },
  });
  expect(read(`<a>${' '.repeat(100_000)}x</a>`)).toMatchObject({ root: { text: 'x' } });
});
