import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bytesOf, hexOf } from './bcd-frame.ts';
import { COMMANDS } from './command-names.ts';
import { type DialogueEnd, type DialogueEvents, Dialogues } from './dialogue.ts';
import { writeMessage } from './message-frame.ts';
import { writeTlv } from './tlv-frame.ts';
import { authorisation } from './zvt-commands.ts';

const ORDER = authorisation({ amountMinor: 1500, currency: 352 });
const APPROVAL = '040f0c270004000000001500490352';
const COMPLETION = '060f00';
const ACK = '800000';

/** A scripted terminal: sends its next message when the till has answered. */
function conversation(messages: readonly string[], events: DialogueEvents = {}) {
  const sent: string[] = [];
  const script = [...messages];
  function speak(): void {
    const next = script.shift();
    if (next === undefined) return;
    dialogues.receive(bytesOf(next));
    // An answer is not answered: the terminal goes on by itself.
    if (next === ACK) speak();
  }
  const dialogues = new Dialogues(
    {
      async send(apdu) {
        sent.push(hexOf(apdu));
        queueMicrotask(speak);
      },
      close: async () => {},
    },
    { replyMs: 50, completionMs: 50, approvalMs: 5 },
  );
  return { sent, dialogues, end: dialogues.run(ORDER, events) };
}

async function hold(messages: readonly string[], events: DialogueEvents = {}) {
  const { sent, end } = conversation([ACK, ...messages], events);
  return { end: await end, answers: sent.slice(1) };
}

describe('a dialogue', () => {
  it('answers whatever the terminal says, up to its completion', async () => {
    const { end, answers } = await hold(['04ff010a', APPROVAL, '06d1020041', COMPLETION], {
      onStatus: () => 'accept',
    });
    expect(end).toMatchObject({ kind: 'completed', code: null });
    expect(answers).toEqual([ACK, ACK, ACK, ACK]);
  });

  it.each<[string, string, string]>([
    ['a prompt', '04ff050a0603240507', ACK],
    ['a block of text', '06d3050603250507', ACK],
    ['a line of a receipt', '06d100', ACK],
    // The terminal takes it back.
    ['an approval', '040f05270006021f', '848300'],
    ['an approval with a field of tomorrow', '040f042700f501', '848300'],
    ['a command of tomorrow', '06ff00', '848300'],
  ])('goes on where %s cannot be read', async (_what, strange, answer) => {
    const approvals: unknown[] = [];
    const { end, answers } = await hold([strange, COMPLETION], {
      onStatus(message) {
        approvals.push(message);
        return 'accept';
      },
    });
    expect(answers).toEqual([answer, ACK]);
    expect(end.kind).toBe('completed');
    expect(approvals).toEqual([]);
  });

  it.each<[string, string, Partial<DialogueEnd>]>([
    ['completion', '060f02f501', { kind: 'completed' }],
    ['end', '061e036cf501', { kind: 'aborted', code: 0x6c }],
    ['end in its own currency', '061e036f0978', { kind: 'aborted', code: 0x6f }],
  ])('ends where a %s has content that nobody knows', async (_what, strange, expected) => {
    const { end, answers } = await hold([strange]);
    expect(end).toMatchObject(expected);
    expect(answers).toEqual([ACK]);
  });

  it('hears what a completion says of itself', async () => {
    expect((await hold(['060f0227e0'])).end).toMatchObject({ kind: 'completed', code: 0xe0 });
  });

  it('refuses an approval that cannot be judged, and still receives the end', async () => {
    const { end, answers } = await hold([APPROVAL, '061e0166'], {
      onStatus() {
        throw new Error('the journal is broken');
      },
    });
    expect(answers).toEqual(['846600', ACK]);
    expect(end).toMatchObject({ kind: 'aborted', code: 0x66 });
  });

  it('that waits for no approval wants none: it is an older payment’s', async () => {
    const { answers } = await hold([APPROVAL, '040f022705', COMPLETION]);
    expect(answers).toEqual(['846600', ACK, ACK]);
  });

  it('asks for patience while it is being judged, and gives up in the end', async () => {
    const { answers } = await hold([...Array.from({ length: 10 }, () => APPROVAL), '061e016c'], {
      onStatus: () => new Promise(() => {}),
    });
    expect(answers).toEqual([...Array.from({ length: 9 }, () => '849c00'), '846600', ACK]);
  });

  it('is lost where the terminal says nothing any more, and an approval that comes then is not wanted', async () => {
    const { sent, dialogues, end } = conversation([ACK, '04ff010a']);
    expect(await end).toMatchObject({ kind: 'lost', line: false });
    dialogues.receive(bytesOf(APPROVAL));
    await expect.poll(() => sent.at(-1)).toBe('846600');
    dialogues.receive(bytesOf(COMPLETION));
    await expect.poll(() => sent.at(-1)).toBe(ACK);
  });

  it('waits as long as the terminal asks for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sent, end } = conversation([ACK, '04ff020a01']);
    const ended = vi.fn();
    void end.then(ended);
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(sent.slice(1)).toEqual([ACK]);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toMatchObject({ kind: 'lost' });
  });

  it('shows what is ahead of the answer to its command, and wants no approval there', async () => {
    const prompts: (number | undefined)[] = [];
    const { sent, end } = conversation(['04ff010a', APPROVAL, ACK, COMPLETION], {
      onStatus: () => 'accept',
      onIntermediate: ({ lead }) => void prompts.push(lead.status),
    });
    expect((await end).kind).toBe('completed');
    expect(sent.slice(1)).toEqual([ACK, '846600', ACK]);
    expect(prompts).toEqual([0x0a]);
  });

  it.each<[string, string]>([
    ['a maker’s own', 'e405ff400212ff'],
    ['that cannot be read', '430aa000'],
  ])('takes an approval with a container %s', async (_what, container) => {
    const size = (bytes: string) => (bytes.length / 2).toString(16).padStart(2, '0');
    const data = `27000400000000150049035206${size(container)}${container}`;
    const { end, answers } = await hold([`040f${size(data)}${data}`, COMPLETION], {
      onStatus: () => 'accept',
    });
    expect(answers).toEqual([ACK, ACK]);
    expect(end.kind).toBe('completed');
  });

  it('sends an abort only once the terminal is at work', async () => {
    const { sent, dialogues, end } = conversation([]);
    dialogues.abort();
    expect(sent).toEqual([hexOf(ORDER)]);
    dialogues.receive(bytesOf(ACK));
    expect(sent.at(-1)).toBe('06b000');
    dialogues.receive(bytesOf('061e016c'));
    expect(await end).toMatchObject({ kind: 'aborted', code: 0x6c });
  });

  it('is refused with a code', async () => {
    const { end } = conversation(['846f00']);
    expect(await end).toEqual({ kind: 'refused', code: 0x6f });
  });

  it('never sees a whole card number, a track or a code', async () => {
    const status = writeMessage({
      control: COMMANDS.statusInformation,
      fields: [
        { id: 0x27, value: Uint8Array.of(0) },
        { id: 0x22, value: bytesOf('4111111111111111') },
        { id: 0x23, value: bytesOf('4111111111111111d30122011200123f') },
        { id: 0x3a, value: bytesOf('123f') },
        { id: 0x3c, value: Buffer.from('4111111111111111') },
        {
          id: 0x06,
          value: writeTlv([
            [
              '60',
              [
                ['5A', bytesOf('4111111111111111')],
                ['43', bytesOf('a0000000031010')],
              ],
            ],
            ['57', bytesOf('4111111111111111d3012201')],
          ]),
        },
      ],
    });
    const seen: unknown[] = [];
    await hold([hexOf(status), COMPLETION], {
      onStatus(message) {
        seen.push(message);
        return 'accept';
      },
    });
    const all = JSON.stringify(seen, (_name, value: unknown) =>
      value instanceof Uint8Array ? hexOf(value) : value,
    );
    expect(seen).toHaveLength(1);
    expect(all).toContain('eeeeeeeeeeee1111');
    expect(all).toContain('a0000000031010');
    expect(all).not.toContain('4111');
    expect(all).not.toContain('123f');
  });
});
