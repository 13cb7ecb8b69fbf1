import { pause } from '@hlid/node/pause';
import { backoffMs } from '@hlid/protocol/base/backoff';
import { messageOf } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import { openPort, type SerialBytes } from '../base/serial-port.ts';
import type { CodeReader, CodeReaderListener } from './code-reader.ts';
import { LineCollector } from './line-collector.ts';

export const SerialCodeReaderSchema = z.strictObject({
  kind: z.literal('serial'),
  /** The path, such as `/dev/serial/by-id/usb-…`. */
  path: z.string('the device of the serial line, such as /dev/serial/by-id/usb-…').min(1),
  /** Over USB it does not count. */
  baudRate: z.int().min(1200).max(921_600).default(9600),
});

const RETRY = { firstMs: 1000, maxMs: 30_000 };

/**
 * A barcode scanner at a serial line or in the serial mode of USB (CDC): it sends each code as a line. It may be plugged
 * in and out at any time.
 */
export class SerialCodeReader implements CodeReader {
  readonly #options: z.infer<typeof SerialCodeReaderSchema>;
  readonly #listener: CodeReaderListener;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #port: SerialBytes | null = null;

  constructor(options: z.infer<typeof SerialCodeReaderSchema>, listener: CodeReaderListener) {
    this.#options = options;
    this.#listener = listener;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#port?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#readUntilClosed(() => {
          failures = 0;
        });
        this.#listener.onState('the reader was unplugged');
      } catch (error) {
        this.#listener.onState(messageOf(error));
      }
      failures++;
      await pause(backoffMs(failures, RETRY), { signal, ref: false });
    }
  }

  async #readUntilClosed(onOpen: () => void): Promise<void> {
    const { path, baudRate } = this.#options;
    const port = await openPort({ path, baudRate, stopBits: 1 });
    this.#port = port;
    const closed = new Promise<void>((resolve) => port.onClosed(resolve));
    const lines = new LineCollector();
    port.onBytes((bytes) => {
      for (const line of lines.take(bytes)) this.#listener.onCode(line);
    });
    onOpen();
    this.#listener.onState(null);
    // It may have ended while the port opened.
    if (this.#ending.signal.aborted) await port.close();
    await closed;
    this.#port = null;
  }
}
