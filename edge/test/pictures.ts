import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlateRead, ReadPicture } from '@hlid/protocol/plate/plate-read';
import { deadline } from '@hlid/protocol/test/deadline';
import { expect, vi } from 'vitest';
import type { Brought } from '../src/picture/bring-picture.ts';
import type { Picture } from '../src/picture/picture-store.ts';
import { Pictures } from '../src/picture/pictures.ts';
import { readPicture } from './sample-pictures.ts';
import { createTestSite, testRead } from './site.ts';

export const MIB = 1024 * 1024;

interface Shown {
  more?: Partial<PlateRead>;
  shows?: ReadPicture[];
}

/** A site with pictures on a real disk, and a cloud that answers as the test defines. */
export interface TestPictures {
  site: ReturnType<typeof createTestSite>;
  pictures: Pictures;
  /** The pictures that the cloud has, by read and kind. */
  cloud: Map<string, Buffer>;
  /** The answer of the cloud to a picture. */
  says: (picture: Picture, bytes: Buffer) => Brought;
  asked: number;
  /** The free bytes of the disk, without the pictures. */
  freeWithout: number;
  /** A camera's document; resolves when its pictures are written down. @returns its read's id */
  see(lane: 'in-1' | 'out-1', plate: string | null, name: string, shown?: Shown): Promise<string>;
  atRest(): Promise<void>;
  rows(): Pick<Picture, 'readId' | 'kind' | 'state'>[];
  files(): string[];
  /** The cloud has all that it was sent. */
  acknowledged(): void;
  soon(check: () => void): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export function createTestPictures(): TestPictures {
  const site = createTestSite();
  let made = 0;

  function newPictures(): Pictures {
    const { core, folder } = site;
    return new Pictures(core.context, {
      config: {
        dataDir: folder,
        cameras: [],
        cloud: { httpUrl: 'http://127.0.0.1:9', mqttUrl: 'mqtt://127.0.0.1:9', siteId: 's', secret: 'x' },
        pictures: { keepDays: 14, keepFreeMb: 100, keepFreePercent: 50 },
      },
      devices: { at: () => expect.fail('no camera is asked here') },
      timing: { retryFirstMs: 2, maxRetryMs: 20 },
      space: async () => ({ free: rig.freeWithout - bytesOfFiles(), total: 2000 * MIB }),
      bring: async (picture, bytes) => {
        rig.asked++;
        return rig.says(picture, Buffer.from(bytes));
      },
    });
  }

  function bytesOfFiles(): number {
    return rig
      .files()
      .reduce((sum, file) => sum + statSync(join(site.folder, 'site-pictures', file)).size, 0);
  }

  const rig: TestPictures = {
    site,
    pictures: newPictures(),
    cloud: new Map(),
    says({ readId, kind }, bytes) {
      rig.cloud.set(`${readId} ${kind}`, bytes);
      return { outcome: 'stored' };
    },
    asked: 0,
    freeWithout: 1000 * MIB,
    async see(lane, plate, name, { more, shows } = {}) {
      const read = testRead(plate, { eventKey: `shown-${++made}`, ...more });
      const pictures = shows ?? [readPicture(name)];
      const document = { kind: 'test', reads: [read], heartbeat: false, pictures };
      const at = new Date(site.now());
      await site.core.reads.handle(`cam-${lane}`, document, at);
      rig.pictures.documentHandled(`cam-${lane}`, document, at);
      await rig.atRest();
      return String(site.db.prepare('SELECT id FROM read WHERE event_key = ?').pluck().get(read.eventKey));
    },
    async atRest() {
      for (let turns = 0; turns < 4; turns++) {
        await new Promise((resolve) => setImmediate(resolve));
        await rig.pictures.idle();
      }
    },
    rows: () =>
      site.db
        .prepare<[], Picture>('SELECT read_id readId, kind, state FROM picture')
        .all()
        .map(({ readId, kind, state }) => ({ readId, kind, state })),
    files() {
      const folder = join(site.folder, 'site-pictures');
      if (!existsSync(folder)) return [];
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return names.filter((name) => name.includes('.'));
    },
    acknowledged() {
      site.acknowledge();
      rig.pictures.wake();
    },
    soon: (check) => vi.waitFor(check, { timeout: deadline(5000), interval: 2 }),
    async restart() {
      await rig.pictures.stop();
      rig.pictures = newPictures();
    },
    async close() {
      await rig.pictures.stop();
      site.close();
    },
  };
  site.core.lanes.subscribe((update) => rig.pictures.onLaneUpdate(update));
  return rig;
}
