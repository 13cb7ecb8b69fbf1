import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyNetwork, startFaultyNetwork } from '../faults/faulty-network.ts';

/** Files that are in no folder of the programs' own, or were written by the test. */
const GIVEN = ['edge.yaml'];

describe('other users of the machine', () => {
  let network: FaultyNetwork;
  const usual = process.umask();
  beforeAll(async () => {
    // This is the mask of most systems: a file that a program writes is readable by all unless it prevents
    // that.
    process.umask(0o022);
    network = await startFaultyNetwork();
  });
  afterAll(async () => {
    await network?.stop();
    process.umask(usual);
  });

  /** Every file and folder below one, with its rights, but those that a program at work has removed meanwhile. */
  function rightsIn(folder: string): { name: string; rights: string }[] {
    const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
    return names
      .filter((name) => !GIVEN.includes(name))
      .flatMap((name) => {
        const stat = statSync(join(folder, name), { throwIfNoEntry: false });
        if (stat === undefined) return [];
        return [{ name, rights: `${stat.isDirectory() ? 'd' : '-'}${(stat.mode & 0o777).toString(8)}` }];
      });
  }
  const open = (folder: string) => rightsIn(folder).filter(({ rights }) => !/^(?:d700|-600)$/.test(rights));

  it('can read neither databases nor logs, pictures, keys and backups', async () => {
    const { folders } = network;
    await network.lane('in-1').passes('ABX12');
    await network.settled();
    const names = [folders.edge, folders.cloud].flatMap((folder) => rightsIn(folder).map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['site.sqlite', 'site.sqlite-wal', 'local-api.json']));
    expect(names.filter((name) => /^[^/]+\.db(-wal)?$/.test(name))).toHaveLength(2);
    expect([...open(folders.edge), ...open(folders.cloud)]).toEqual([]);
  });

  it('cannot read files any more that were readable before', async () => {
    const { folders } = network;
    await network.edge.stop();
    chmodSync(folders.edge, 0o755);
    chmodSync(join(folders.edge, 'site.sqlite'), 0o644);
    writeFileSync(join(folders.edge, 'site.sqlite.before-upgrade'), 'an old copy', { mode: 0o644 });
    await network.edge.start();
    expect(open(folders.edge)).toEqual([]);
    await network.cloud.stop();
    chmodSync(folders.cloud, 0o755);
    await network.cloud.start();
    expect(statSync(folders.cloud).mode & 0o777).toBe(0o700);
    await network.settled();
  });
});
