import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../../test/minisign.ts';
import { findSignatureFault, hasMinisignKeys, parseMinisignKey, readMinisignKeys } from './minisign.ts';

const signer = createSigner();
const other = createSigner();
const CONTENT = Buffer.from('a package of a few bytes');
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-minisign-'));
  file = join(folder, 'package.deb');
  writeFileSync(file, CONTENT);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keys = [parseMinisignKey(other.publicKey), parseMinisignKey(signer.publicKey)];
const faultOf = (signature: string, trusted = keys) => findSignatureFault(file, signature, trusted);

describe('a signature', () => {
  it('is accepted if its key is trusted', async () => {
    expect(await faultOf(signer.sign(CONTENT))).toBeNull();
  });

  it('is refused if its key is another one', async () => {
    const fault = await faultOf(signer.sign(CONTENT), [parseMinisignKey(other.publicKey)]);
    expect(fault).toMatch(/^it is signed with key [0-9A-F]{16}, which this site does not trust$/);
    expect(await faultOf(signer.sign(CONTENT), [])).toMatch(/does not trust$/);
  });

  it.each([
    ['of other bytes', signer.sign(Buffer.from('another package'))],
    ['with another trusted comment', signer.sign(CONTENT).replace('a package', 'b package')],
    ['by another key under its number', withNumberOf(signer.sign(CONTENT), other.sign(CONTENT))],
  ])('%s is not', async (_, signature) => {
    expect(await faultOf(signature)).toMatch(/^key [0-9A-F]{16} has not signed this file$/);
  });

  it.each([
    ['nothing', ''],
    ['no text of minisign', 'a\nb\nc\nd\n'],
    ['the older algorithm', withAlgorithm(signer.sign(CONTENT), 'Ed')],
    ['a part', signer.sign(CONTENT).split('\n').slice(0, 2).join('\n')],
  ])('that is %s is none', async (_, signature) => {
    expect(await faultOf(signature)).toBe('its signature is not one of minisign (ED)');
  });
});

describe('keys', () => {
  it('are the files .pub of a folder', () => {
    const some = join(folder, 'keys');
    expect(hasMinisignKeys(some)).toBe(false);
    expect(readMinisignKeys(some)).toEqual([]);
    mkdirSync(some);
    writeFileSync(join(some, 'README'), 'no key');
    expect(hasMinisignKeys(some)).toBe(false);
    writeFileSync(join(some, 'a.pub'), signer.publicKey);
    expect(hasMinisignKeys(some)).toBe(true);
    expect(readMinisignKeys(some).map(({ id }) => id)).toEqual([keys[1]?.id]);
    writeFileSync(join(some, 'b.pub'), 'no key');
    expect(() => readMinisignKeys(some)).toThrow(/b\.pub cannot be used/);
  });

  it('are refused if they are none', () => {
    for (const text of ['', 'untrusted comment: x\n', 'RWQ=', signer.sign(CONTENT)])
      expect(() => parseMinisignKey(text)).toThrow('it is not a public key of minisign');
  });
});

// Signed by minisign 0.11 of Debian 12, with a key made for this test: see the README there.
describe('what minisign itself has signed', () => {
  const fixture = (name: string) =>
    new URL(`../../../tests/fixtures/minisign/${name}`, import.meta.url).pathname;
  const textOf = (name: string) => readFileSync(fixture(name), 'utf8');

  it('is accepted, under the number that minisign shows', async () => {
    const key = parseMinisignKey(textOf('test.pub'));
    expect(textOf('test.pub')).toContain(key.id);
    expect(await findSignatureFault(fixture('signed.txt'), textOf('signed.txt.minisig'), [key])).toBeNull();
    expect(await findSignatureFault(fixture('test.pub'), textOf('signed.txt.minisig'), [key])).toBe(
      `key ${key.id} has not signed this file`,
    );
  });

  const isHere = isInstalled();
  if (!isHere) console.warn('Skipped: minisign is not installed.');
  it.skipIf(!isHere)('and what the tests sign, minisign accepts', () => {
    writeFileSync(join(folder, 'k.pub'), signer.publicKey);
    writeFileSync(`${file}.minisig`, signer.sign(CONTENT));
    const printed = execFileSync('minisign', ['-V', '-p', join(folder, 'k.pub'), '-m', file], {
      encoding: 'utf8',
    });
    expect(printed).toContain('Signature and comment signature verified');
  });
});

function isInstalled(): boolean {
  try {
    execFileSync('minisign', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The second line begins with two letters for the algorithm. */
function withAlgorithm(signature: string, letters: string): string {
  const lines = signature.split('\n');
  const bytes = Buffer.from(lines[1] ?? '', 'base64');
  bytes.write(letters, 0, 'latin1');
  return lines.with(1, bytes.toString('base64')).join('\n');
}

/** Puts the key number of the first signature into the second. */
function withNumberOf(first: string, second: string): string {
  const bytes = (text: string) => Buffer.from(text.split('\n')[1] ?? '', 'base64');
  const line = Buffer.concat([bytes(first).subarray(0, 10), bytes(second).subarray(10)]);
  return second.split('\n').with(1, line.toString('base64')).join('\n');
}
