import { describe, expect, it } from 'vitest';
import { type NodeRefusal, refuseNode } from './check-node.mjs';

const refusalOf = (version: string): NodeRefusal => refuseNode(version, '>=20.19 <24.19');

describe('a version of Node.js', () => {
  it.each(['20.19.0', '20.20.2', '22.1.0', '24.18.1'])('%s is accepted', (version) => {
    expect(refusalOf(version)).toBeNull();
  });

  it.each(['18.20.4', '20.18.3'])('%s is too old', (version) => {
    expect(refusalOf(version)).toBe(`Hlið needs Node.js 20.19 or newer; this is ${version}`);
  });

  it.each(['24.19.0', '24.21.0', '26.1.0'])('%s is too new', (version) => {
    expect(refusalOf(version)).toBe(
      `Hlið needs Node.js 20.19 or newer, but older than 24.19; this is ${version}`,
    );
  });
});
