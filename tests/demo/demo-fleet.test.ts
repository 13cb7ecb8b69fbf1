import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@hlid/cloud/platform/config';
import { createRegistry } from '@hlid/cloud/platform/vehicle-registry/create-registry';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../sim/seeded-random.ts';
import { demoFiles } from './demo-files.ts';
import { newFleet, writeCloudFiles } from './demo-fleet.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("the demo's fleet has plates that no other car has", () => {
  const plates = Object.values(newFleet(seededRandom(1), [])).flat();
  expect(new Set(plates).size).toBe(plates.length);
  const taken = plates.slice(0, 5);
  expect(Object.values(newFleet(seededRandom(1), taken)).flat()).not.toEqual(expect.arrayContaining(taken));
});

it('writes a configuration that the cloud accepts, with a register that has each vehicle and its weight', async () => {
  const fleet = newFleet(seededRandom(2), []);
  writeCloudFiles(folder, fleet);
  const registry = createRegistry(readConfig({ HLID_DATA_DIR: folder }).vehicleRegistry);
  const kg = async (plate: string) =>
    (await registry?.find({ plate }, AbortSignal.timeout(5000)))?.massladen ?? 0;
  for (const plate of fleet.trucks) expect(await kg(plate)).toBeGreaterThan(3500);
  for (const plate of fleet.prepaid) expect(await kg(plate)).toBe(1998);
  expect(await kg(fleet.company.at(-1) ?? '')).toBeGreaterThan(3500);
});

it('keeps files that a person has changed', () => {
  writeFileSync(join(folder, 'cloud.yaml'), 'logLevel: warn\n');
  writeCloudFiles(folder, newFleet(seededRandom(3), []));
  expect(readFileSync(join(folder, 'cloud.yaml'), 'utf8')).toBe('logLevel: warn\n');
});

it('keeps the fleet from the first run on', () => {
  const files = demoFiles(folder);
  const state = files.readState();
  expect(state.fleet.trucks).toHaveLength(3);
  files.writeState(state);
  expect(files.readState()).toEqual(state);
});
