import { describe, expect, it } from 'vitest';
import { declineReasonOf, receiptCardOf, standingOf, stepOfMdStatus } from './borgun-results.ts';

const STRICT = { payIfNotParticipating: false, payIfUnavailable: false };
const DEFAULT = { payIfNotParticipating: true, payIfUnavailable: false };
const LENIENT = { payIfNotParticipating: true, payIfUnavailable: true };

describe('what follows an MdStatus', () => {
  it.each([
    ['1', 'authenticated', 'authenticated', 'authenticated'],
    ['4', 'authenticated', 'authenticated', 'authenticated'],
    ['2', 'stop', 'authenticated', 'authenticated'],
    ['3', 'stop', 'authenticated', 'authenticated'],
    ['9', 'challenge', 'challenge', 'challenge'],
    ['50', 'method', 'method', 'method'],
    ['5', 'unavailable', 'unavailable', 'authenticated'],
    ['91', 'unavailable', 'unavailable', 'authenticated'],
    ['92', 'unavailable', 'unavailable', 'authenticated'],
    ['99', 'unavailable', 'unavailable', 'authenticated'],
    ['6', 'stop', 'stop', 'authenticated'],
    ['93', 'stop', 'stop', 'authenticated'],
    ['94', 'stop', 'stop', 'authenticated'],
    ['95', 'stop', 'stop', 'authenticated'],
    ['96', 'stop', 'stop', 'authenticated'],
    ['97', 'stop', 'stop', 'authenticated'],
    ['0', 'stop', 'stop', 'stop'],
    ['7', 'stop', 'stop', 'stop'],
    ['8', 'stop', 'stop', 'stop'],
    ['', 'stop', 'stop', 'stop'],
    ['01', 'stop', 'stop', 'stop'],
    ['12', 'stop', 'stop', 'stop'],
  ])('%j', (mdStatus, strict, normal, lenient) => {
    expect([STRICT, DEFAULT, LENIENT].map((policy) => stepOfMdStatus(mdStatus, policy))).toEqual([
      strict,
      normal,
      lenient,
    ]);
  });
});

it.each([
  ['Accepted', 'booked'],
  ['Captured', 'booked'],
  ['Uncaptured', 'reserved'],
  ['Declined', 'not-booked'],
  ['Cancelled', 'not-booked'],
  ['Refunded', 'refunded'],
  ['Unknown', 'open'],
  ['Error', 'unclear'],
  ['Pending', 'unclear'],
  ['accepted', 'unclear'],
])('a payment whose status is %s is %s', (status, standing) => {
  expect(standingOf(status)).toBe(standing);
});

it.each([
  ['refused', ['100', '103', '104', '200', '203', '204', '207']],
  ['card-expired', ['101']],
  ['security', ['102', '129', '202', '205', '208', '209', '210']],
  ['insufficient-funds', ['116', '121']],
  ['card-data', ['111', '117', '118', '125', '126', '130', '131', '201']],
  ['card-unsupported', ['112', '119', '161', '162', '163']],
  ['stopped', ['106', '206']],
  ['merchant', ['109', '110', '120', '164', '165', '166', '902', '904', '916', '955', '956']],
  ['other', ['907', '908', '909', '910', '911', '912', '913', '914', '950', '953', '000', '', '555', '10']],
])('a payment is declined as %s by the action codes %j', (reason, codes) => {
  expect(codes.map(declineReasonOf)).toEqual(codes.map(() => reason));
});

it.each([
  ['474152******0003', 'Visa', { type: 'visa', lastFour: '0003' }],
  ['5413330089600036', 'MasterCard', { type: 'mastercard', lastFour: '0036' }],
  ['417666******0104', 'Visa Electron', { type: 'electron', lastFour: '0104' }],
  ['6304000000000000', 'MAESTRO', { type: 'maestro', lastFour: '0000' }],
  ['3782******0005', 'American Express', { type: 'amex', lastFour: '0005' }],
  ['****', 'Dankort', { type: 'other', lastFour: null }],
  [null, null, { type: 'other', lastFour: null }],
])('reads a card for receipts from %j, %j', (pan, cardType, card) => {
  expect(receiptCardOf(pan, cardType)).toEqual(card);
});
