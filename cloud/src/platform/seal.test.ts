import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { seal, unseal } from './seal.ts';

const SECRET = randomBytes(32).toString('base64url');
const content = Buffer.from('0199d0f2-7b1c-7abc-9def-001122334455 ABX12');

it('opens with the same secret and purpose only', () => {
  const sealed = seal(SECRET, 'stay', content);
  expect(unseal(SECRET, 'stay', sealed)).toEqual(content);
  expect(unseal(SECRET, 'link', sealed)).toBeNull();
  expect(unseal(randomBytes(32).toString('base64url'), 'stay', sealed)).toBeNull();
  for (const broken of ['', 'x', sealed.slice(0, 20), `${sealed}AAAA`]) {
    expect(unseal(SECRET, 'stay', broken)).toBeNull();
  }
});

it('shows no byte of its content, and is refused when any bit of it is changed', () => {
  const bytes = Buffer.from(seal(SECRET, 'stay', content), 'base64url');
  expect(bytes.length).toBe(content.length + 16);
  for (let at = 0; at + 4 <= content.length; at++) {
    expect(bytes.includes(content.subarray(at, at + 4)), `bytes from ${at}`).toBe(false);
  }
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(unseal(SECRET, 'stay', changed.toString('base64url')), `bit ${bit}`).toBeNull();
  }
});
