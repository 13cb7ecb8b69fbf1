import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRegistry } from './create-registry.ts';
import type { VehicleRegistry } from './vehicle-registry.ts';

const FIXTURE = new URL('../../../../tests/fixtures/vehicles/registry.json', import.meta.url);
const signal = new AbortController().signal;

let folder: string;
let path: string;
let registry: VehicleRegistry | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-registry-'));
  path = join(folder, 'registry.json');
  copyFileSync(FIXTURE, path);
  registry = createRegistry({ file: path });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('vehicles are found by plate in any spelling, and by their fixed id', async () => {
  expect(await registry?.find({ plate: 'tr-x 77' }, signal)).toMatchObject({ massladen: 18_000 });
  expect(await registry?.find({ plate: 'ÞÓR1' }, signal)).toMatchObject({ permno: 'KZ345', vin: null });
  expect(await registry?.find({ id: 'KZ345' }, signal)).toMatchObject({ regno: 'ÞÓR1', owner: null });
  expect(await registry?.find({ plate: 'KZ345' }, signal)).toBeNull();
});

it('a changed file is read again', async () => {
  expect(await registry?.find({ plate: 'NEW1' }, signal)).toBeNull();
  writeFileSync(path, JSON.stringify([{ regno: 'new-1' }]));
  expect(await registry?.find({ plate: 'NEW1' }, signal)).toMatchObject({ regno: 'new-1', massladen: null });
  expect(await registry?.find({ plate: 'TRX77' }, signal)).toBeNull();
});

it('a file that makes no sense, or is gone, is a fault', async () => {
  const odd = { code: 'peer-misbehaved' };
  writeFileSync(path, JSON.stringify([{ regno: 'A1', wheels: 4 }]));
  await expect(registry?.find({ plate: 'A1' }, signal)).rejects.toMatchObject(odd);
  writeFileSync(path, '[{"regno":"SECRET1",}]');
  const notJson = { ...odd, message: 'The file of vehicles cannot be read: it is not JSON' };
  await expect(registry?.find({ plate: 'A1' }, signal)).rejects.toMatchObject(notJson);
  rmSync(path);
  await expect(registry?.find({ plate: 'A1' }, signal)).rejects.toMatchObject(odd);
});

it('without a configuration there is no register', () => {
  expect(createRegistry(null)).toBeNull();
});
