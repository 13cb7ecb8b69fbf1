import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder, writeDurably } from '@hlid/node/durable-files';
import { Fault } from '@hlid/protocol/base/fault';
import type { UpgradeOrder } from '@hlid/protocol/site-link/edge-upgrade';
import { sumOf } from './hash-file.ts';
import { ORDER_FILE, ORDERED_PACKAGE, orderFolder, type WrittenOrder } from './upgrade-order.ts';

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** The part of an answer that a download needs. */
interface Answer {
  status: number;
  body: Readable;
}

/** A package on its way from the cloud to root's unit, in the data folder. */
export class OrderedPackage {
  readonly #folder: string;
  readonly #file: string;
  /** The sum of the package that is there; null: not known. */
  #sum: string | null = null;

  constructor(dataDir: string) {
    this.#folder = orderFolder(dataDir);
    this.#file = join(this.#folder, ORDERED_PACKAGE);
  }

  async isWhole({ sha256, bytes }: UpgradeOrder): Promise<boolean> {
    if ((await sizeOf(this.#file)) !== bytes) return false;
    this.#sum ??= await sumOf(this.#file);
    return this.#sum === sha256;
  }

  /**
   * Downloads it, or the rest of it. Throws Fault 'link-lost' where it will go on later, 'peer-misbehaved' or 'no-room' where it will
   * not.
   *
   * @param request the package from this byte on
   */
  async bring(order: UpgradeOrder, request: (from: number) => Promise<Answer>): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const part = `${this.#file}.part-${order.sha256.slice(0, 16)}`;
    const from = (await sizeOf(part)) ?? 0;
    if (from < order.bytes) {
      const { status, body } = await request(from);
      if (status !== 200 && status !== 206) {
        body.destroy();
        throw new Fault('link-lost', `the cloud answered ${status}`);
      }
      const file = createWriteStream(part, { flags: status === 206 ? 'a' : 'w', mode: 0o600, flush: true });
      await pipeline(body, file).catch((error: unknown) => {
        throw isDiskFull(error) ? new Fault('no-room', 'the disk has no room for the package') : error;
      });
    }
    const sum = await sumOf(part);
    if (sum !== order.sha256) {
      await rm(part, { force: true });
      throw new Fault('peer-misbehaved', `the package arrived with the sum ${sum}`);
    }
    await rename(part, this.#file);
    await syncFolder(this.#folder);
    this.#sum = sum;
  }

  /** Lets root's unit know of it. */
  async offer({ id, version, signature }: UpgradeOrder): Promise<void> {
    const order: WrittenOrder = { id, version, signature };
    const path = join(this.#folder, ORDER_FILE);
    await writeDurably(`${path}.new`, Buffer.from(`${JSON.stringify(order)}\n`));
    await rename(`${path}.new`, path);
    await syncFolder(this.#folder);
  }

  /** Deletes it: root's unit has copied it, or the order has ended. */
  async remove(): Promise<void> {
    this.#sum = null;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.size ?? null;
}
