import { afterEach, describe, expect, it } from 'vitest';
import { bytesOf, hexOf, joinBytes } from './bcd-frame.ts';
import { ACK, NAK, writeSerialFrame } from './serial-frame.ts';
import { SerialApduLine } from './serial-line.ts';

const APPROVAL = bytesOf('040f0c270004000000001500490352');
const POSITIVE = bytesOf('800000');
const FRAME = writeSerialFrame(APPROVAL);
const [ACKED, NAKED] = [Uint8Array.of(ACK), Uint8Array.of(NAK)];
const TIMING = { gapMs: 20, answerMs: 40 };

/** The till's end of a line, and all that comes and goes. */
function till() {
  const written: string[] = [];
  const received: string[] = [];
  const ends: string[] = [];
  let bytes: (chunk: Uint8Array) => void = () => {};
  let closed = () => {};
  /** Called with each frame that the line sends. */
  let onFrame: (sends: number) => void = () => {};
  const line = new SerialApduLine(
    {
      onBytes(listener) {
        bytes = listener;
      },
      onClosed(listener) {
        closed = listener;
      },
      write(chunk) {
        written.push(hexOf(chunk));
        const sends = written.filter((one) => one.startsWith('1002')).length;
        if (chunk.length > 1) queueMicrotask(() => onFrame(sends));
      },
      close: async () => {},
    },
    { onApdu: (apdu) => void received.push(hexOf(apdu)), onClosed: (reason) => void ends.push(reason) },
    TIMING,
  );
  return {
    written,
    received,
    ends,
    line,
    take: (...chunks: Uint8Array[]) => {
      for (const chunk of chunks) bytes(chunk);
    },
    unplug: () => closed(),
    atFrame(listener: typeof onFrame) {
      onFrame = listener;
    },
  };
}

let own = till();
afterEach(async () => {
  await own.line.close();
  own = till();
});

describe('a serial line', () => {
  it('answers a frame at once, whatever pieces it comes in', () => {
    own.take(...Array.from(FRAME, (byte) => Uint8Array.of(byte)));
    expect(own.written).toEqual(['06']);
    expect(own.received).toEqual([hexOf(APPROVAL)]);
  });

  it('hears a repeat as one, until something of ours was taken', async () => {
    own.take(FRAME, FRAME);
    expect(own.written).toEqual(['06', '06']);
    expect(own.received).toHaveLength(1);
    own.atFrame(() => own.take(ACKED));
    await own.line.send(POSITIVE);
    own.take(FRAME);
    expect(own.received).toHaveLength(2);
  });

  it('says NAK to a checksum that is wrong, and to one whose bytes are swapped', () => {
    const swapped = joinBytes(FRAME.slice(0, -2), FRAME.slice(-2).reverse());
    own.take(swapped);
    expect(own.written).toEqual(['15']);
    expect(own.received).toEqual([]);
  });

  it('says NAK once more than T1 has passed within a frame, and hears the next one', async () => {
    own.take(FRAME.slice(0, 7));
    await expect.poll(() => own.written).toEqual(['15']);
    own.take(FRAME);
    expect(own.received).toEqual([hexOf(APPROVAL)]);
  });

  it('takes no byte of a spoilt frame for an answer to its own', async () => {
    own.atFrame((sends) => {
      // DLE that is followed by nothing that it may be, and then what looks like ACK.
      if (sends === 1) own.take(bytesOf('10020601100606150601'), bytesOf('1003aaaa'), NAKED);
      else own.take(ACKED);
    });
    await own.line.send(POSITIVE);
    const framed = hexOf(writeSerialFrame(POSITIVE));
    expect(own.written).toEqual([framed, '15', framed]);
  });

  it('repeats a frame twice: after NAK it certainly was not understood', async () => {
    own.atFrame(() => own.take(NAKED));
    await expect(own.line.send(POSITIVE)).rejects.toMatchObject({ code: 'link-refused' });
    expect(own.written).toHaveLength(3);
  });

  it('repeats a frame twice: after silence the outcome is not known', async () => {
    own.atFrame((sends) => sends === 2 && own.take(NAKED));
    await expect(own.line.send(POSITIVE)).rejects.toMatchObject({ code: 'deadline-passed' });
    expect(own.written).toHaveLength(3);
  });

  it('hears a message that crosses its own', async () => {
    own.atFrame(() => own.take(FRAME, ACKED));
    await own.line.send(POSITIVE);
    expect(own.received).toEqual([hexOf(APPROVAL)]);
  });

  it('does not repeat a command that is answered, though its ACK was lost', async () => {
    own.atFrame(() => own.take(writeSerialFrame(POSITIVE)));
    await own.line.send(bytesOf('06010704000000001500'));
    expect(own.received).toEqual([hexOf(POSITIVE)]);
    expect(own.written.filter((one) => one.startsWith('1002'))).toHaveLength(1);
  });

  it('repeats an answer for which there is no ACK, whatever else comes', async () => {
    own.atFrame((sends) => own.take(sends === 1 ? writeSerialFrame(bytesOf('800000')) : ACKED));
    await own.line.send(POSITIVE);
    expect(own.written.filter((one) => one.startsWith('1002'))).toHaveLength(2);
  });

  it('that is unplugged ends what is being sent', async () => {
    own.atFrame(() => own.unplug());
    await expect(own.line.send(POSITIVE)).rejects.toMatchObject({ code: 'link-lost' });
    expect(own.ends).toEqual(['the serial port is gone']);
    await expect(own.line.send(POSITIVE)).rejects.toMatchObject({ code: 'link-refused' });
  });
});
