import { expect, it } from 'vitest';
import { createXmlGrowth, type GrowingElement, withoutPadding } from './xml-growth.ts';

const element = (): GrowingElement => ({ text: '', children: [] });
const growth = () => createXmlGrowth({ maxElements: 3, deepestNesting: 2 });

it('grows a tree, texts trimmed', () => {
  const tree = growth();
  expect(tree.root()).toBeNull();
  const root = element();
  tree.open(root);
  tree.addText(' a');
  tree.open(element());
  expect(tree.innermost()).not.toBe(root);
  tree.addText('b\n');
  tree.close();
  tree.addText('c ');
  tree.close();
  expect(tree.root()).toEqual({ text: 'ac', children: [{ text: 'b', children: [] }] });
});

it('takes no more than it may', () => {
  const deep = growth();
  deep.open(element());
  deep.open(element());
  expect(() => deep.open(element())).toThrow('nested deeper than 2');
  const wide = growth();
  wide.open(element());
  for (let child = 0; child < 2; child++) {
    wide.open(element());
    wide.close();
  }
  expect(() => wide.open(element())).toThrow('more than 3 elements');
  expect(() => wide.refuseDoctype()).toThrow();
});

it('takes off what devices leave behind a document', () => {
  expect(withoutPadding('<a/>\r\n\0 \0')).toBe('<a/>');
  expect(withoutPadding('\0 \n')).toBe('');
  expect(withoutPadding(`${' '.repeat(1_000_000)}x`)).toHaveLength(1_000_001);
});
