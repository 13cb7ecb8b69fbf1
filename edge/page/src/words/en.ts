import { STATUS_EN } from '@hlid/protocol/base/status-words/en';
import type { Texts } from '@hlid/protocol/base/texts';
import { CODES_EN } from '@hlid/protocol/words/codes/en';
import { DEVICE_ADVICE_EN } from '@hlid/protocol/words/device-advice/en';
import { LANE_EN } from '@hlid/protocol/words/lanes/en';

/** The texts of the lanes page in English. Texts that the console shows too stand in the protocol. */
export const EN = {
  lanes: LANE_EN,
  codes: CODES_EN,
  status: {
    lane: STATUS_EN.lane,
    gate: STATUS_EN.gate,
    gateMode: STATUS_EN.gateMode,
    passage: STATUS_EN.passage,
  },
  deviceAdvice: DEVICE_ADVICE_EN,
  title: 'Lanes',
  language: 'Language',
  connecting: 'Connecting …',
  daemonLost: 'No connection to the gate computer since {time}.',
  daemonLostMore: 'This page may be out of date. Reconnecting …',
  driverMessage: 'Message to the driver: “{text}”',
  cancel: 'Cancel',
  failed: 'This did not work.',
  meaning: {
    open: 'The gate opens once. If a car waits there, it may leave, whatever it owes.',
    hold: 'Every car can pass until then. Cars are read and charged as usual.',
    release: 'The lane decides about each car again.',
  },
  code: {
    title: 'A driver has a payment code',
    meaning:
      'A driver who paid by phone while the site had no connection has a code on the phone. It pays for that car, once, and the exit where it waits opens.',
    plate: 'Plate',
    code: 'Code',
    send: 'Accept the code',
    done: '{plate} is paid.',
  },
  pin: {
    title: 'Enter the PIN to see the lanes',
    label: 'PIN',
    enter: 'Enter',
    lock: 'Lock',
    wrong: 'This PIN is wrong.',
    tooMany: 'Too many wrong PINs. Try again in {n} min.',
    failed: 'The gate computer does not answer.',
  },
  ago: {
    now: 'just now',
    before: '{time} ago',
  },
  camera: {
    seen: 'Camera {id}: last contact {ago}',
    notSeen: 'Camera {id}: no contact since the start',
    none: 'No camera on this lane',
    clockBehind: 'its clock is {duration} behind',
    clockAhead: 'its clock is {duration} ahead',
  },
  link: {
    alone: 'Runs without a cloud',
    connected: 'Cloud connected',
    away: 'No connection to the cloud since {time}',
    waiting: '{count} {n: one event | other events} waiting',
    upToDate: 'nothing waiting',
  },
  devices: {
    alarms: '{n: one # thing needs attention | other # things need attention}',
    all: 'All devices',
    allWell: 'All devices are in order',
    lastError: 'last error {time}: {detail}',
  },
  display: {
    noLane: '{site}: there is no such lane',
  },
} as const;

export type Words = Texts<typeof EN>;
