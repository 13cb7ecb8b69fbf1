import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '@hlid/node/errors';
import type { NewPicture } from './picture-store.ts';

type NamedPicture = Pick<NewPicture, 'readId' | 'kind' | 'takenAt' | 'contentType'>;

/** The bytes of pictures, a folder for each day; a file has its name once it is whole. */
export interface PictureFiles {
  write(picture: NamedPicture, bytes: Uint8Array): Promise<void>;
  /** @returns null where there is none */
  read(picture: NamedPicture): Promise<Buffer | null>;
  /** No error where there is none. */
  remove(picture: NamedPicture): Promise<void>;
  days(): Promise<string[]>;
  /** Names of a day's files, those that were never finished too. */
  ofDay(day: string): Promise<string[]>;
  nameOf(picture: NamedPicture): string;
  removeNamed(day: string, name: string): Promise<void>;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * A store of pictures as files. They are not flushed to the disk one by one: a gate's own flush would wait
 * behind them. A power cut can cost the pictures of its last seconds; a reader compares the file with its
 * row.
 */
export function createPictureFiles(folder: string): PictureFiles {
  const nameOf = ({ readId, kind, contentType }: NamedPicture) =>
    `${readId}-${kind}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
  const pathOf = (picture: NamedPicture) => join(folder, picture.takenAt.slice(0, 10), nameOf(picture));

  async function removeNamed(day: string, name: string): Promise<void> {
    await rm(join(folder, day, name), { force: true });
    // Goes only with the last picture of its day.
    await rmdir(join(folder, day)).catch(() => undefined);
  }

  return {
    nameOf,
    removeNamed,
    async write(picture, bytes) {
      const path = pathOf(picture);
      const part = `${path}.part`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(part, 'w', 0o600);
        try {
          await file.writeFile(bytes);
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async read(picture) {
      try {
        return await readFile(pathOf(picture));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (picture) => removeNamed(picture.takenAt.slice(0, 10), nameOf(picture)),
    async days() {
      return (await namesIn(folder)).filter((name) => DAY.test(name)).sort();
    },
    ofDay: (day) => namesIn(join(folder, day)),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
