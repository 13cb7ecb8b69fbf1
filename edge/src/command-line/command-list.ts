import type { CommandEntry, OptionEntry } from './command-entry.ts';
import { makerOf, PARSED_FORMATS } from './parsed-formats.ts';

const SECONDS: OptionEntry = { name: 'seconds', value: 'N', about: 'how long' };
const WHY: OptionEntry = { name: 'why', value: 'TEXT', about: 'the reason that is recorded' };
const ALL: OptionEntry = { name: 'all', value: null, about: 'every lane' };
const DEVICE: readonly OptionEntry[] = [
  {
    name: 'user',
    value: 'NAME',
    about: 'of a device that is given by its address; its password is in HLID_ONVIF_PASSWORD',
  },
  { name: 'self-signed', value: null, about: 'its https certificate need not be trusted' },
];
const DIRECT: OptionEntry = { name: 'direct', value: null, about: 'not by way of the daemon' };
const CAMERA_WORDS =
  'CAMERA is a camera of the configuration that has onvif, or the address of any device’s service.';
const DAEMON_WORDS = 'Talks to the daemon that runs on the data folder.';

const FORMAT_WORDS = PARSED_FORMATS.map((name) => `  ${name.padEnd(12)} ${makerOf(name)}`).join('\n');

/** Every command, in the order in which a technician needs them. */
export const COMMANDS = [
  {
    name: 'enrol',
    operands: 'CODE',
    summary: 'Make this machine the edge of a site, by a one-time code of the cloud',
    about: [
      'An operator makes the code (POST /sites/{id}/enrolment); it is good for an hour, once. The credentials go into the',
      'data folder, and count where the configuration has no cloud section. If the answer is lost, give the same command',
      'again.',
    ].join('\n'),
    prints: 'text',
    options: [
      { name: 'cloud', value: 'URL', about: 'where the cloud’s API is; needed the first time' },
      { name: 'replace', value: null, about: 'in place of the credentials that are there' },
    ],
    examples: ['enrol K7QF-3M2X --cloud https://parking.example', 'enrol K7QF-3M2X --replace'],
  },
  {
    name: 'config check',
    operands: '',
    summary: 'Read the configuration as the daemon would, and name every mistake with its key and line',
    about: '',
    prints: 'text',
    options: [],
    examples: ['config check'],
  },
  {
    name: 'status',
    operands: '',
    summary: 'Say what works, what does not, and what to do about it',
    about: `${DAEMON_WORDS} Exit codes: 0 all is well, 1 something wants looking at, 2 it is failing or does not run.`,
    prints: 'text',
    options: [],
    examples: ['status'],
  },
  {
    name: 'camera discover',
    operands: '',
    summary: 'Find the ONVIF devices of the network: addresses, names, profiles (M tells of plates)',
    about: 'HLID_ONVIF_PROBE=HOST:PORT asks one address, where the network lets no multicast through.',
    prints: 'json',
    options: [SECONDS],
    examples: ['camera discover --text', 'camera discover --seconds 10'],
  },
  {
    name: 'camera parse',
    operands: 'FILE',
    summary: 'Show what the daemon makes of a camera’s document: {"reads":[…],"heartbeat":…}',
    about: [
      'FILE is the body that the camera posts, with the head of its request or without, gzip’ed or not; - is standard',
      `input. FORMAT, which is found out where it is not given, is one of\n${FORMAT_WORDS}`,
    ].join('\n'),
    prints: 'json',
    options: [
      { name: 'format', value: 'FORMAT', about: 'whose document it is' },
      {
        name: 'time-zone',
        value: 'ZONE',
        about: 'of times that the camera writes without an offset (Atlantic/Reykjavik); UTC where not given',
      },
      {
        name: 'content-type',
        value: 'TYPE',
        about: 'as the camera sends it; a multipart body shows its own boundary',
      },
      {
        name: 'serial',
        value: 'NUMBER',
        about: 'what a Survision camera sends in its header survision-serial-number',
      },
    ],
    examples: [
      'camera parse anpr.xml',
      'camera parse --format milesight --time-zone Europe/Berlin - < body.json',
    ],
  },
  {
    name: 'camera watch',
    operands: 'CAMERA',
    summary: 'Print what a camera tells, as it comes',
    about: [
      'A line of JSON for each plate as the daemon would read it, relay, input, and any other event by its topic. Of a',
      'camera that posts by itself: what the running daemon makes of it, each read (and why it decides nothing), each',
      'document that is refused (and why), each passage of its lane. Until Ctrl-C, or for so many seconds; a connection that',
      'is lost is made again. CAMERA is a camera of the configuration, or the address of any ONVIF device’s service.',
    ].join('\n'),
    prints: 'json',
    options: [SECONDS, ...DEVICE],
    examples: [
      'camera watch cam-in-1 --text',
      'HLID_ONVIF_PASSWORD=… camera watch http://192.168.1.64/onvif/device_service --user hlid',
    ],
  },
  {
    name: 'camera snapshot',
    operands: 'CAMERA',
    summary: 'Write what a camera sees now into a file',
    about: CAMERA_WORDS,
    prints: 'text',
    options: [{ name: 'out', value: 'FILE', about: 'where to' }, ...DEVICE],
    examples: ['camera snapshot cam-in-1 --out now.jpg'],
  },
  {
    name: 'camera try-again',
    operands: '[CAMERA]',
    summary: 'Log in again at a device that has refused the login, now that it is right',
    about: [
      'By itself the daemon tries a refused login only every half an hour, so that the device does not lock us out. For a',
      `password that was wrong in the device; one that was wrong in the configuration wants the daemon started again. ${DAEMON_WORDS}`,
      'Without a CAMERA: every device that has refused, gates too.',
    ].join('\n'),
    prints: 'text',
    options: [],
    examples: ['camera try-again cam-in-1', 'camera try-again'],
  },
  {
    name: 'terminal status',
    operands: '',
    summary: 'Say how the card terminal is: connected, logged in, ready, at work',
    about: [
      `${DAEMON_WORDS} Exit codes: 0 it is ready or at work, 1 it is not, 2 nobody could be asked.`,
      '--direct asks the terminal of the configuration itself, while no daemon runs.',
    ].join('\n'),
    prints: 'json',
    options: [DIRECT],
    examples: ['terminal status', 'terminal status --direct'],
  },
  {
    name: 'terminal diagnose',
    operands: '',
    summary: 'Try the card terminal: log in, its own diagnosis, what it remembers of its newest payment',
    about: [
      'It moves no money. The daemon must not run: a terminal talks to one at a time.',
      '"tellsNewest" must be true, or a payment whose line was cut waits for a person.',
    ].join('\n'),
    prints: 'json',
    options: [],
    examples: ['terminal diagnose'],
  },
  {
    name: 'terminal decode',
    operands: 'HEX',
    summary: 'Show what a message between till and terminal means (ZVT)',
    about:
      'HEX are its bytes as they go over TCP; blanks, colons and dashes do not matter. Card numbers are masked.',
    prints: 'json',
    options: [
      {
        name: 'serial',
        value: null,
        about: 'HEX is a frame of a serial line: 10 02 … 10 03 and its checksum',
      },
    ],
    examples: ['terminal decode 06010A04000000001500490352', 'terminal decode --serial 10028000001003F51F'],
  },
  {
    name: 'payment list',
    operands: '',
    summary: 'Show the card payments that wait for a person, and why',
    about: [
      `${DAEMON_WORDS} A payment waits where asking the terminal did not settle what became of it (unknown), or where its`,
      'money should go back and the terminal would not (settled). Look for it in the terminal’s own list of the day.',
    ].join('\n'),
    prints: 'text',
    options: [],
    examples: ['payment list'],
  },
  {
    name: 'payment booked',
    operands: 'PAYMENT',
    summary: 'Say that the terminal has taken its money, which stays: its visit is paid',
    about: DAEMON_WORDS,
    prints: 'text',
    options: [],
    examples: ['payment booked 01a1fc93-bdd6-7682-9b18-8dd0566e2420'],
  },
  {
    name: 'payment not-booked',
    operands: 'PAYMENT',
    summary: 'Say that the terminal has taken nothing: its visit is not paid',
    about: DAEMON_WORDS,
    prints: 'text',
    options: [],
    examples: ['payment not-booked 01a1fc93-bdd6-7682-9b18-8dd0566e2420'],
  },
  {
    name: 'payment given-back',
    operands: 'PAYMENT',
    summary: 'Say that its money was given back by hand',
    about: DAEMON_WORDS,
    prints: 'text',
    options: [],
    examples: ['payment given-back 01a1fc93-bdd6-7682-9b18-8dd0566e2420'],
  },
  {
    name: 'gate list',
    operands: '',
    summary: 'Show how the gates stand, and which of them somebody holds open or keeps closed',
    about: DAEMON_WORDS,
    prints: 'text',
    options: [],
    examples: ['gate list'],
  },
  {
    name: 'gate pulse',
    operands: 'LANE',
    summary: 'Open a gate once; the car that waits there goes, whatever it owes',
    about: `${DAEMON_WORDS} It is recorded, with the reason.`,
    prints: 'json',
    options: [WHY],
    examples: ['gate pulse in-1 --why "test after the repair"'],
  },
  {
    name: 'gate hold',
    operands: 'LANE | --all',
    summary: 'Hold a gate open, until it is released',
    about: `${DAEMON_WORDS} It is recorded, with the reason. Cars are read and charged as ever.`,
    prints: 'text',
    options: [ALL, WHY],
    examples: ['gate hold --all --why fire'],
  },
  {
    name: 'gate close',
    operands: 'LANE | --all',
    summary: 'Keep a gate closed (an exit for 15 minutes at most), until it is released',
    about: `${DAEMON_WORDS} It is recorded, with the reason.`,
    prints: 'text',
    options: [ALL, WHY],
    examples: ['gate close in-2 --why "snow in the lane"'],
  },
  {
    name: 'gate release',
    operands: 'LANE | --all',
    summary: 'Let go of a gate: back to automatic',
    about: `${DAEMON_WORDS} It is recorded, with the reason.`,
    prints: 'text',
    options: [ALL, WHY],
    examples: ['gate release --all'],
  },
  {
    name: 'gate try-again',
    operands: '[LANE]',
    summary: 'Log in again at a gate that has refused the login, now that it is right',
    about: [
      'As camera try-again does; no gate moves by that. A relay that can be asked nothing is tried when it is next to move.',
      'Without a LANE: every device that has refused, cameras too.',
    ].join('\n'),
    prints: 'text',
    options: [],
    examples: ['gate try-again in-1', 'gate try-again'],
  },
] as const satisfies readonly CommandEntry[];

export type CommandName = (typeof COMMANDS)[number]['name'];

export function findCommand(name: string): (CommandEntry & { name: CommandName }) | null {
  return COMMANDS.find((entry) => entry.name === name) ?? null;
}
