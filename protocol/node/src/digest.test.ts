import { expect, test } from 'vitest';
import { contentDigest, entityTag, policyHash, versionMark } from './digest.ts';

// SHA-256 of `abc` is ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad (FIPS 180-4, example 1).
test('Digests are cut from SHA-256 as each place asks', () => {
  expect(contentDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  expect(entityTag('abc')).toBe('"ungWv48Bz-pBQUDeXa4iI7"');
  expect(policyHash('abc')).toBe("'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
  expect(versionMark(['a', 'bc'])).toBe('ungWv48Bz-p');
});
