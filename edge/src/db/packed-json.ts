import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The texts that older visits, passages and payments have in common, the most frequent at the end. Packed
 * columns can only be read with the dictionary that they were packed with: one never changes, a better one
 * gets the next number.
 */
const DICTIONARIES: readonly Buffer[] = [
  `{"from":"","until":"","vatRate":24,"inAdvance":false,"unitsMet":0,"paidMinor":0}{"kind":"none"}{"kind":"last",
{"id":"","visitId":"","terminalId":"pos-1","state":"declined","state":"settled","amountMinor":500,"units":1,"lines":[{"rule":"unit",
"units":1,"unitMinor":500,"amountMinor":500}],"currency":"ISK","product":{"id":"","version":1,"vatRate":24},"transaction":{"reference":"",
"authorisation":"","card":{"type":"mastercard","lastFour":"","type":"visa","lastFour":""}},"reason":null,"needsPerson":false,"receipt":["",
"VISA ************","MASTERCARD","AID: A0000000031010","AUTH: ","SALE ISK ","APPROVED"],"receiptKey":"","language":"en","language":"is",
"createdAt":"","changedAt":"2026-"}{"open":false,"reason":"need-payment","visit":{"kind":"need-payment","reason":"exit-grace",
{"open":true,"reason":"permit","reason":"paid","visit":{"kind":"end","visitId":"","settled":true,"foundBy":"equal"},
"settlement":{"paymentStatus":"whitelisted","units":0},"flags":[]}
{"open":true,"reason":"welcome","visit":{"kind":"start","status":"new","lostExitOf":null},"settlement":null,"flags":[]}
[{"plate":"","score":0.95,"weight":0.95,"reads":1},{"plate":""["in-1-17952632-0","out-1-17952632-0"]
{"id":"01a2","plate":"","status":"completed","paymentStatus":"company-invoice","paymentStatus":"owner-invoice",
"paymentStatus":"whitelisted","paymentStatus":"kiosk","startedAt":"","endedAt":"","createdAt":"","price":null,"price":{"amountMinor":0,
"currency":"ISK","lines":[{"rule":"unit","units":1,"unitMinor":500,"amountMinor":500},{"rule":"units-met","units":-1,"amountMinor":-500}],
"product":{"id":"","version":1,"vatRate":24},"pricedAt":"2026-"},"unitsMet":0,"paidMinor":0,"paidUntil":null,"flags":[],
"entryLaneId":"in-1","exitLaneId":"out-1","entryReadId":"01a2","exitReadId":"01a2","exitFoundBy":"equal","permitId":null,"quota":null}`,
].map((words) => Buffer.from(words.replaceAll('\n', '')));
const NEWEST = DICTIONARIES.length - 1;

/** Most of the work and of the memory is what zlib sets up: as little as holds a row and the dictionary. */
const SMALL = { windowBits: 12, memLevel: 5, chunkSize: 1024 };

/** The first byte is the number of the dictionary. */
export function packJson(json: string): Buffer {
  const dictionary = DICTIONARIES[NEWEST];
  return Buffer.concat([
    Buffer.from([NEWEST]),
    deflateRawSync(json, { ...SMALL, ...(dictionary && { dictionary }) }),
  ]);
}

/** A column as JSON, packed or not. */
export function unpackJson(stored: string | Uint8Array): string {
  if (typeof stored === 'string') return stored;
  const dictionary = DICTIONARIES[stored[0] ?? NEWEST];
  if (dictionary === undefined) throw new RangeError('a newer version has packed this');
  return inflateRawSync(stored.subarray(1), { chunkSize: SMALL.chunkSize, dictionary }).toString();
}
