import { readdirSync, readFileSync } from 'node:fs';
import { PlateReadSchema } from '@hlid/protocol/plate/plate-read';
import { growsInProportion, growthOf, memoryOf } from '@hlid/protocol/test/cost';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent, triggerOf } from './event-message.ts';
import { PlateMapSchema, plateDocuments } from './onvif-plate.ts';
import { descendants, MAX_CHARACTERS, readXml } from './xml-element.ts';

const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const VENDOR = PlateMapSchema.parse([
  'axis',
  { topic: 'tns1:*/Plate*', plate: 'Plate', score: { item: 'Score' } },
]);
const NOW = new Date('2026-11-21T10:00:00Z');
const CAME = { vendor: VENDOR, deviceTime: NOW, receivedAt: NOW };
const NUM_RUNS = 300;
const MAX_MEMORY_BYTES = 50 * 1024 * 1024;

const STANDARD = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><wsnt:NotificationMessage>
<wsnt:Topic>tns1:RuleEngine/Recognition/LicensePlate</wsnt:Topic><wsnt:Message><tt:Message UtcTime="2026-11-21T10:00:00Z">
<tt:Source><tt:SimpleItem Name="Rule" Value="R"/></tt:Source><tt:Data><tt:SimpleItem Name="Likelihood" Value="0.95"/>
<tt:ElementItem Name="LicensePlateInfo"><tt:LicensePlateInfo><tt:PlateNumber>KZD82</tt:PlateNumber></tt:LicensePlateInfo>
</tt:ElementItem></tt:Data></tt:Message></wsnt:Message></wsnt:NotificationMessage></s:Body></s:Envelope>`;

const SAMPLES = [
  Buffer.from(STANDARD),
  readFileSync(new URL('axis/onvif_event_ALPV.AllPlates_II04458.xml', FIXTURES)),
  ...readdirSync(new URL('onvif/', FIXTURES)).map((name) => readFileSync(new URL(`onvif/${name}`, FIXTURES))),
];

/** The daemon's reading of the bytes of a device's answer. */
function readAnswer(bytes: Uint8Array) {
  const root = readXml(Buffer.from(bytes).toString('utf8'));
  const events = root ? descendants(root, 'NotificationMessage').flatMap((one) => readEvent(one) ?? []) : [];
  for (const event of events) triggerOf(event);
  return plateDocuments(events, CAME).flatMap(({ reads }) => reads);
}

function expectGoodManners(bytes: Uint8Array) {
  const reads = readAnswer(bytes);
  for (const read of reads) PlateReadSchema.parse(read);
  return reads;
}

describe('a device’s answer, whatever comes,', () => {
  const anySample = fc.constantFrom(...SAMPLES);

  it('is read where it is right', () => {
    expect(readAnswer(Buffer.from(STANDARD))).toMatchObject([{ plate: 'KZD82', score: 0.95 }]);
  });

  it('makes no read of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(expectGoodManners(bytes)).toEqual([]);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('makes no read of half an answer', () => {
    fc.assert(
      fc.property(anySample, fc.nat(), (bytes, cut) => {
        const end = bytes.toString('latin1').trimEnd().length;
        expect(expectGoodManners(bytes.subarray(0, cut % end))).toEqual([]);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('bears flipped bits', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anySample, flips, (bytes, changes) => {
        const flipped = Uint8Array.from(bytes);
        for (const [at, bit] of changes) {
          const place = at % flipped.length;
          flipped[place] = (flipped[place] ?? 0) ^ (1 << bit);
        }
        expectGoodManners(flipped);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('bears splices', () => {
    fc.assert(
      fc.property(anySample, anySample, fc.nat(), fc.nat(), (first, second, cut, from) => {
        const head = first.subarray(0, cut % first.length);
        expectGoodManners(Buffer.concat([head, second.subarray(from % second.length)]));
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it.each([
    ['elements in each other', '<a>', ''],
    ['elements beside each other', '<a/>', '</r>'],
    ['attributes', 'b="c" ', ''],
    ['spaces', ' ', '</r>'],
    ['entities', '&amp;', '</r>'],
    ['notifications', '<wsnt:NotificationMessage><x/></wsnt:NotificationMessage>', '</r>'],
    ['angle brackets', '<', ''],
  ])('full of %s costs in proportion to its length, and no more than 50 MB', (_, filling, end) => {
    const unit = Buffer.from(filling);
    const start = Buffer.from(filling.startsWith('b=') ? '<r ' : '<r>');
    const answerOf = (bytes: number) => {
      const body = Buffer.alloc(Math.floor((bytes - 100) / unit.length) * unit.length, unit);
      return Buffer.concat([start, body, Buffer.from(end)]);
    };
    // The shorter are all read; of the longest much is refused at once.
    for (const size of [MAX_CHARACTERS, 120_000]) {
      const growth = growthOf((bytes) => {
        const answer = answerOf(bytes);
        return () => readAnswer(answer);
      }, size);
      expect(growth, `${size} bytes`).toSatisfy(growsInProportion);
      const answer = answerOf(size);
      expect(
        memoryOf(() => readAnswer(answer), MAX_MEMORY_BYTES),
        `memory for ${size} bytes`,
      ).toBeLessThan(MAX_MEMORY_BYTES);
    }
  });
});
