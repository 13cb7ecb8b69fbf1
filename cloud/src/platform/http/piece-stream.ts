import { anySignal } from '@hlid/node/deadline';
import { MINUTE_MS } from '@hlid/protocol/base/durations';

/** A reader that takes nothing for this long is gone. */
const STALLED_MS = MINUTE_MS;
/** The longest download of one file. */
const LONGEST_MS = 30 * MINUTE_MS;

/**
 * A body of pieces that are requested as its reader takes them; a reader that goes away or stands still ends
 * it. This resolves after the first piece, so that an early fault is thrown and can be answered.
 *
 * @param begin begins; the signal is aborted when the reader is gone
 * @param onBroken called with what cut the body off
 */
export async function pieceStream(
  begin: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
  onBroken: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const leaving = new AbortController();
  const pieces = begin(anySignal([leaving.signal, AbortSignal.timeout(LONGEST_MS)]));
  let next: IteratorResult<Uint8Array> | null = await pieces.next();
  let stalled: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { done, value } = next ?? (await pieces.next());
          next = null;
          if (done) {
            controller.close();
            return;
          }
          controller.enqueue(value);
          stalled = setTimeout(() => {
            const reason = new Error('the reader stands still');
            leaving.abort(reason);
            controller.error(reason);
            onBroken(reason);
          }, STALLED_MS);
          stalled.unref();
        } catch (error) {
          onBroken(error);
          throw error;
        }
      },
      async cancel() {
        clearTimeout(stalled);
        leaving.abort(new Error('the reader has gone'));
        await pieces.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
