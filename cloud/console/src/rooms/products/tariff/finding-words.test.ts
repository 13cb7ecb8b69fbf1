import { TARIFFS_EN } from '@hlid/protocol/base/mistakes/refusals/tariffs-en';
import { expect, it } from 'vitest';
import { findings } from '../../../words/en/tariff.ts';

it('has words of the editor for everything that the rules find in a tariff', () => {
  expect(Object.keys(findings).toSorted()).toEqual([...Object.keys(TARIFFS_EN), 'not-multiple'].toSorted());
});
