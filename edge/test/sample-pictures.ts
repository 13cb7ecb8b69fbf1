import type { ReadPicture } from '@hlid/protocol/plate/plate-read';
import type { Picture } from '../src/picture/picture-store.ts';

/** Pictures for tests. */

export function samplePicture(fields: Partial<Picture> = {}): Picture {
  return {
    id: 1,
    readId: '0192f6c7-4a51-7b53-9d0e-3a1f0f3d2c12',
    passageId: null,
    kind: 'vehicle',
    contentType: 'image/jpeg',
    bytes: 3,
    sha256: '',
    score: 0.9,
    takenAt: '2026-11-21T08:00:00.000Z',
    state: 'waiting',
    afterSeq: 0,
    tries: 0,
    dueAt: '2026-11-21T08:00:00.000Z',
    ...fields,
  };
}

/** Something that begins as a JPEG does, and is like no other of another name. */
export function jpeg(name: string, bytes = 64): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(bytes, name)]);
}

export function readPicture(name: string, kind: ReadPicture['kind'] = 'overview', bytes = 64): ReadPicture {
  return { kind, contentType: 'image/jpeg', base64: jpeg(name, bytes).toString('base64') };
}
