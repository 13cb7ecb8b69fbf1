import { SerialQueue } from '@hlid/node/serial-queues';
import { messageOf } from '@hlid/protocol/base/fault';
import { and, eq, isNotNull, isNull } from '../../platform/db/sql.ts';
import { EVENTS } from '../../platform/events.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { pictureKey } from './storage/picture-key.ts';
import { storePicture, thumbKey } from './store-picture.ts';

/** Wide enough for the largest place in a list or on a board, on a screen with two pixels for each of a page. */
const MAX_EDGE = 480;
const QUALITY = 70;
/** More than any camera has. An image that declares a larger size is not unpacked. */
const MAX_PIXELS = 32_000_000;
const MAX_SECONDS = 10;
/** A picture of this size is its own thumbnail. */
export const SMALL_BYTES = 24 * 1024;
/** Formats that are stored. What the decoders of others may do with a made-up file is no concern then. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'];

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Thumbnails of pictures of vehicles, for lists and boards. Each is made when it is wanted first, by whichever cloud is
 * asked, and stored beside its picture until that is erased. One at a time: others wait less for it than for each other.
 */
export class Thumbnails {
  readonly #context: Pick<CloudContext, 'db' | 'clock' | 'pictures' | 'log'>;
  readonly #queue = new SerialQueue();

  constructor(context: Pick<CloudContext, 'db' | 'clock' | 'pictures' | 'log'>) {
    this.#context = context;
  }

  /** @returns a JPEG; null where there is no picture; `unreadable` where none can be made of it */
  async get(photo: PhotoRow): Promise<Bytes | 'unreadable' | null> {
    if (photo.thumbBytes === 0) return 'unreadable';
    const stored = photo.thumbBytes === null ? null : await this.#read(thumbKey(photo));
    return stored ?? (await this.#queue.run(() => this.#make(photo)));
  }

  async #make(photo: PhotoRow): Promise<Bytes | 'unreadable' | null> {
    const key = pictureKey(photo, 'vehicle');
    const picture = key === null ? null : await this.#read(key);
    if (picture === null) return null;
    const sharp = await loadSharp();
    const bytes = await shrink(sharp, picture).catch(() => null);
    if (bytes === null) {
      await this.#noteUnreadable(photo.id);
      return 'unreadable';
    }
    try {
      // The thumbnail is not stored if another cloud stores it just now, or if the picture was erased
      // meanwhile.
      await storePicture(this.#context, photo, { contentType: 'image/jpeg', bytes }, 'thumb');
    } catch (error) {
      const { log } = this.#context;
      log.error({ event: EVENTS.pictureFailed, photoId: photo.id, err: error }, messageOf(error));
    }
    return bytes;
  }

  async #read(key: string): Promise<Bytes | null> {
    const stored = await this.#context.pictures.get(key);
    return stored && new Uint8Array(await new Response(stored.body).arrayBuffer());
  }

  /** Notes that a picture is unreadable, so that it is not unpacked in vain each time. */
  async #noteUnreadable(id: string): Promise<void> {
    const t = photoTable;
    await this.#context.db.write(async ({ q }) => {
      const still = and(eq(t.id, id), isNotNull(t.url), isNull(t.thumbBytes));
      await q.update(t).set({ thumbBytes: 0 }).where(still);
    });
  }
}

/** Throws where the bytes are no whole picture, or one that is too large. */
async function shrink(sharp: Sharp, picture: Bytes): Promise<Bytes> {
  const made = await sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
    .autoOrient()
    .resize(MAX_EDGE, MAX_EDGE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer();
  return new Uint8Array(made);
}

type Sharp = Awaited<ReturnType<typeof importSharp>>;
let loading: Promise<Sharp> | undefined;

/** Loads sharp late: most starts of the program need it late, or never. */
function loadSharp(): Promise<Sharp> {
  loading ??= importSharp();
  return loading;
}

async function importSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
