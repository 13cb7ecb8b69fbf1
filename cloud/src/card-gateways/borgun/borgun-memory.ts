import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@hlid/node/private-files';
import { z } from 'zod';

const ReservationSchema = z.strictObject({ transactionId: z.string().nullable() });
const RefundSchema = z.strictObject({ isDone: z.boolean() });

/**
 * What Borgun cannot be asked about later: files of a few bytes in the cloud's data folder, each on the disk before the
 * call that it is about. They contain ids, and nothing of a card.
 */
export class BorgunMemory {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'borgun');
  }

  /** @param transactionId null: Borgun has not answered yet */
  storeReservation(orderId: string, transactionId: string | null): void {
    writeSecretFile(this.#folder, reservationFile(orderId), { transactionId });
  }

  /** Null: nothing was reserved for this order. */
  reservation(orderId: string): { transactionId: string | null } | null {
    return this.#read(reservationFile(orderId), ReservationSchema);
  }

  storePartRefund(refundId: string, isDone: boolean): void {
    writeSecretFile(this.#folder, refundFile(refundId), { isDone });
  }

  /** Null: it was never sent. */
  partRefund(refundId: string): { isDone: boolean } | null {
    return this.#read(refundFile(refundId), RefundSchema);
  }

  forgetPartRefund(refundId: string): void {
    rmSync(join(this.#folder, refundFile(refundId)), { force: true });
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | null {
    let text: string;
    try {
      text = readFileSync(join(this.#folder, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
    return schema.parse(JSON.parse(text));
  }
}

const reservationFile = (orderId: string) => `reservation-${orderId}.json`;
const refundFile = (refundId: string) => `refund-${refundId}.json`;
