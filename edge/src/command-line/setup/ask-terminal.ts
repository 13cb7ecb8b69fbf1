import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:tls';
import { z } from 'zod';
import { reachHost } from '../../gate/reach-host.ts';
import { TerminalHostSchema } from '../../terminal/terminal-shape.ts';
import { bySchema, numberBySchema } from './interview.ts';
import { type SetupContext, textOf, type Written, writtenIn } from './setup-context.ts';

type Connection = 'none' | 'serial' | 'tcp' | 'locallink';

const SERIAL_FOLDER = '/dev/serial/by-id';
const ZVT_PORT = 20_007;
const LOCALLINK_PORT = 8080;
const TIMEOUT_MS = 3000;

/** The site's card terminal. */
export async function askTerminal(context: SetupContext): Promise<void> {
  const { interview, words, draft } = context;
  const present = writtenIn(draft.file.get(['terminal']));
  const before = connectionOf(present);
  const connections = ['none', 'serial', 'tcp', 'locallink'] as const;
  const connection = await interview.choose<Connection>(
    words.terminal,
    connections.map((value) => ({ value, words: words.terminals[value] })),
    before,
  );
  if (connection === 'none') {
    draft.file.remove(['terminal']);
    return;
  }
  const options = await askConnection(context, connection, before === connection ? present : {});
  const kind = connection === 'locallink' ? 'locallink' : 'zvt';
  const terminal = { id: textOf(present, 'id') ?? 'kiosk-1', kind, ...options };
  if (present['kind'] === kind) draft.file.set(['terminal'], terminal);
  else draft.file.replace(['terminal'], terminal);
  interview.say(`  ${words.diagnoseLater}`);
}

function connectionOf(terminal: Written): Connection {
  if (terminal['kind'] === 'locallink') return 'locallink';
  if (terminal['kind'] !== 'zvt') return 'none';
  return terminal['serial'] === undefined ? 'tcp' : 'serial';
}

async function askConnection(
  context: SetupContext,
  connection: Exclude<Connection, 'none'>,
  present: Written,
): Promise<Written> {
  switch (connection) {
    case 'serial':
      return {
        serial: { path: await askSerialPath(context, present) },
        tcp: undefined,
        ...(await askZvtId(context, present)),
      };
    case 'tcp': {
      const { host, port } = await askHost(context, writtenIn(present['tcp']), ZVT_PORT);
      return { tcp: { host, port }, serial: undefined, ...(await askZvtId(context, present)) };
    }
    case 'locallink':
      return await askLocallink(context, present);
    default:
      return connection satisfies never;
  }
}

async function askSerialPath({ interview, words }: SetupContext, present: Written): Promise<string> {
  const plugged = existsSync(SERIAL_FOLDER) ? readdirSync(SERIAL_FOLDER) : [];
  for (const name of plugged) interview.say(`  ${SERIAL_FOLDER}/${name}`);
  const [first] = plugged;
  for (;;) {
    const path = await interview.text({
      ask: words.serialPath,
      preset: textOf(writtenIn(present['serial']), 'path') ?? (first ? `${SERIAL_FOLDER}/${first}` : null),
      read: (text) => ({ ok: true, value: text }),
    });
    if (existsSync(path)) return path;
    interview.say(`  ${words.noSerialPath({ path })}`);
    if (await interview.confirm(words.useAnyway, false)) return path;
  }
}

async function askZvtId({ interview, words }: SetupContext, present: Written): Promise<Written> {
  const terminalId = await interview.optional({
    ask: words.terminalId,
    preset: textOf(present, 'terminalId'),
    read: bySchema(z.string().regex(/^\d{8}$/), words.notZvtId),
  });
  return { terminalId: terminalId ?? undefined };
}

async function askHost(
  { interview, words }: SetupContext,
  present: Written,
  usualPort: number,
): Promise<{ host: string; port: number }> {
  for (;;) {
    const host = await interview.text({
      ask: words.host,
      preset: textOf(present, 'host'),
      read: bySchema(TerminalHostSchema, words.notHost),
    });
    const port = await interview.text({
      ask: words.tcpPort,
      preset: textOf(present, 'port') ?? String(usualPort),
      read: numberBySchema(z.int().min(1).max(65_535), words.notNumber({ from: 1, to: 65_535 })),
    });
    const reached = await reachHost(`http://${host}:${port}`, TIMEOUT_MS);
    interview.say(`  ${reached === 'connected' ? words.reached.done : words.reached.unreachable}`);
    if (reached === 'connected' || (await interview.confirm(words.useAnyway, false))) return { host, port };
  }
}

async function askLocallink(context: SetupContext, present: Written): Promise<Written> {
  const { interview, words } = context;
  const { host, port } = await askHost(context, present, LOCALLINK_PORT);
  const sha256 = await askFingerprint(context, { host, port }, writtenIn(present['trust']));
  const terminalId = await interview.text({
    ask: words.terminalId,
    preset: textOf(present, 'terminalId'),
    read: bySchema(z.string().regex(/^\d{4,16}$/), words.notLocallinkId),
  });
  const pairingCode = await interview.optional({
    ask: words.pairingCode,
    preset: textOf(present, 'pairingCode'),
    read: bySchema(z.string().regex(/^\d+$/), words.notPairingCode),
  });
  const amountDigits = await interview.text({
    ask: words.amountDigits,
    preset: textOf(present, 'amountDigits') ?? '2',
    read: numberBySchema(z.int().min(0).max(3), words.notNumber({ from: 0, to: 3 })),
  });
  const trust = sha256 === null ? undefined : { trust: { sha256 } };
  return { host, port, ...trust, terminalId, pairingCode: pairingCode ?? undefined, amountDigits };
}

/** Null: the terminal is trusted in another way, which stays. */
async function askFingerprint(
  { interview, words }: SetupContext,
  place: { host: string; port: number },
  present: Written,
): Promise<string | null> {
  if (present['ca'] !== undefined) return null;
  const written = textOf(present, 'sha256');
  const shown = written === null ? await shownFingerprint(place) : null;
  if (shown !== null) {
    interview.say(`  ${words.seenCertificate({ print: shown })}`);
    if (await interview.confirm(words.certificateIsRight, false)) return shown;
  }
  return await interview.text({
    ask: words.fingerprint,
    preset: written,
    read: bySchema(z.string().regex(/^(?:[0-9a-f]{2}:?){32}$/i), words.notFingerprint),
  });
}

/** The fingerprint of the certificate that the terminal shows; null: it shows none. */
function shownFingerprint({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    // Whom to trust is the question here, and a person answers it.
    const socket = connect({ host, port, rejectUnauthorized: false });
    const settle = (found: string | null) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(found);
    };
    const deadline = setTimeout(() => settle(null), TIMEOUT_MS);
    socket.once('secureConnect', () => settle(socket.getPeerCertificate().fingerprint256 ?? null));
    socket.once('error', () => settle(null));
  });
}
